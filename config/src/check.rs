//! One value against the shape of its key.
//!
//! Nothing is retyped: in a list `no` and `5` stay text, and a quoted number is no number.

use serde_json::Value as Json;

use crate::error::{Mark, Problem, clean, steers};
use crate::globs::Globs;
use crate::keys::{Key, Shape};
use crate::kinds;
use crate::nearest::nearest;
use crate::tree::{Data, Node};

/// The longest text in a list, in characters: enough for any path.
const MAX_CHARS: usize = 500;

/// The value of a key over the one of the layers below, or all that is wrong with it: kinds of notes are
/// laid over each other, everything else replaces what was there.
pub(crate) fn over(key: &Key, node: &Node, below: &Json) -> Result<Json, Vec<Problem>> {
    match key.shape {
        Shape::Kinds => kinds::lay(&key.path, node, below, &key.default),
        _ => value(&key.path, &key.shape, node),
    }
}

/// The value in its JSON form, or all that is wrong with it.
pub(crate) fn value(key: &str, shape: &Shape, node: &Node) -> Result<Json, Vec<Problem>> {
    let one = match (shape, &node.data) {
        (Shape::Texts | Shape::Globs | Shape::Rules | Shape::Some(_), Data::List(items)) => {
            return list(key, shape, items);
        }
        (Shape::Number(from, to), Data::Scalar { text, is_quoted: false }) => number(*from, *to, text),
        (Shape::Switch, Data::Scalar { text, is_quoted: false }) => switch(text),
        (Shape::Choice(choices), Data::Scalar { text, .. }) => choice(choices, text),
        (Shape::Folder, Data::Scalar { text, is_quoted }) => folder(text, *is_quoted),
        (Shape::Folder, Data::Nothing { .. }) => Ok(Json::Null),
        _ => Err((None, None)),
    };
    one.map_err(|(message, hint)| vec![mismatch(key, shape, node, message, hint)])
}

/// What replaces the usual message, and the usual hint.
type Mismatch = (Option<String>, Option<String>);

fn mismatch(key: &str, shape: &Shape, node: &Node, message: Option<String>, hint: Option<String>) -> Problem {
    let usual = || format!("'{key}' wants {}, not {}", wanted(shape), found(node));
    let problem = Problem::new(node.at, message.unwrap_or_else(usual));
    let hint = hint.or_else(|| match (shape, &node.data) {
        (shape, Data::Scalar { text, .. }) if shape.is_list() => Some(format!("write ['{}']", clean(text))),
        (shape, Data::Nothing { .. }) if shape.is_list() => Some("write [] for an empty list".to_owned()),
        (Shape::Number(..) | Shape::Switch, Data::Scalar { is_quoted: true, .. }) => {
            Some("take the quotes away".to_owned())
        }
        _ => None,
    });
    Problem { hint, ..problem }
}

fn wanted(shape: &Shape) -> String {
    match shape {
        Shape::Table | Shape::Kinds | Shape::Fields | Shape::Words | Shape::Values => {
            "a mapping of keys".to_owned()
        }
        Shape::Number(from, to) => format!("a whole number from {from} to {to}"),
        Shape::Switch => "true or false".to_owned(),
        Shape::Choice(choices) => one_of(choices),
        Shape::Texts | Shape::Globs | Shape::Rules | Shape::Some(_) => "a list".to_owned(),
        Shape::Folder => "a folder".to_owned(),
    }
}

fn one_of(choices: &[String]) -> String {
    match choices {
        [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => choices.concat(),
    }
}

/// What stands there instead, in words.
pub(crate) fn found(node: &Node) -> String {
    match &node.data {
        Data::Nothing { .. } => "nothing".to_owned(),
        Data::Scalar { text, is_quoted: true } => format!("the text '{}'", clean(text)),
        Data::Scalar { text, is_quoted: false } => format!("'{}'", clean(text)),
        Data::List(_) => "a list".to_owned(),
        Data::Map(_) => "a mapping".to_owned(),
    }
}

fn number(from: u64, to: u64, text: &str) -> Result<Json, Mismatch> {
    let is_decimal = text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    match text.parse::<u64>() {
        Ok(number) if is_decimal && (from..=to).contains(&number) => Ok(Json::from(number)),
        _ => Err((None, None)),
    }
}

fn switch(text: &str) -> Result<Json, Mismatch> {
    match text.to_ascii_lowercase().as_str() {
        _ if text == "true" => Ok(Json::Bool(true)),
        _ if text == "false" => Ok(Json::Bool(false)),
        "yes" | "on" | "true" | "y" => Err((None, Some("write true".to_owned()))),
        "no" | "off" | "false" | "n" => Err((None, Some("write false".to_owned()))),
        _ => Err((None, None)),
    }
}

fn choice(choices: &[String], text: &str) -> Result<Json, Mismatch> {
    if choices.iter().any(|choice| choice == text) {
        return Ok(Json::from(text));
    }
    let near = nearest(text, choices.iter().map(String::as_str));
    Err((None, near.map(|near| format!("did you mean '{near}'?"))))
}

/// A plain `~` or `null` is YAML's nothing here, as the default is.
fn folder(text: &str, is_quoted: bool) -> Result<Json, Mismatch> {
    if !is_quoted && matches!(text, "~" | "null") {
        return Ok(Json::Null);
    }
    match unfit(text) {
        Some(what) => Err((Some(format!("the folder {what}")), None)),
        None => Ok(Json::from(text)),
    }
}

fn list(key: &str, shape: &Shape, items: &[Node]) -> Result<Json, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut texts = Vec::new();
    for node in items {
        match item(key, shape, node) {
            Ok(text) => texts.push(Json::from(text)),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(Json::Array(texts)) } else { Err(problems) }
}

fn item<'n>(key: &str, shape: &Shape, node: &'n Node) -> Result<&'n str, Problem> {
    let text = match &node.data {
        Data::Scalar { text, .. } => text,
        Data::Nothing { hidden: Some(comment) } => {
            return Err(Problem::new(node.at, format!("an item of '{key}' is a comment"))
                .hint(format!("quote it: '{}'", clean(comment))));
        }
        _ => {
            return Err(Problem::new(
                node.at,
                format!("an item of '{key}' must be a text, not {}", found(node)),
            ));
        }
    };
    if let Some(what) = unfit(text) {
        return Err(Problem::new(node.at, format!("an item of '{key}' {what}")));
    }
    match shape {
        Shape::Globs => glob(node.at, text)?,
        Shape::Some(words) if !words.iter().any(|word| word == text) => {
            let problem = Problem::new(node.at, format!("'{}' is not one that '{key}' knows", clean(text)));
            let near = nearest(text, words.iter().map(String::as_str));
            let hint = near.map_or_else(
                || format!("there are {}", words.join(", ")),
                |near| format!("did you mean '{near}'?"),
            );
            return Err(problem.hint(hint));
        }
        Shape::Rules if !is_rule(text) => {
            let message = format!("'{}' is not the name of a rule", clean(text));
            return Err(Problem::new(node.at, message).hint("write job/rule, or job/* for all of a job"));
        }
        _ => {}
    }
    Ok(text)
}

/// Why no list and no path can hold that text.
pub(crate) fn unfit(text: &str) -> Option<String> {
    let steering = text.chars().find(|c| steers(*c));
    match steering {
        _ if text.trim().is_empty() => Some("is empty".to_owned()),
        Some('\n') => Some("runs over more than one line".to_owned()),
        Some(c) => Some(format!("holds the character U+{:04X}", u32::from(c))),
        None if text.chars().nth(MAX_CHARS).is_some() => {
            Some(format!("is longer than {MAX_CHARS} characters"))
        }
        None => None,
    }
}

fn glob(at: Mark, text: &str) -> Result<(), Problem> {
    match Globs::new([text]) {
        Ok(_) => Ok(()),
        Err(error) => Err(Problem { at, message: error.message, hint: error.hint }),
    }
}

fn is_rule(text: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    };
    text.split_once('/').is_some_and(|(job, rule)| is_word(job) && (rule == "*" || is_word(rule)))
}
