//! The settings of one layer, each with its origin, and everything that is wrong in it.

use std::collections::BTreeMap;
use std::ffi::OsString;

use serde_json::Value as Json;

use crate::check;
use crate::error::{ConfigError, Mark, Place, Problem, clean};
use crate::keys::{self, Key, PREFIX, Shape, joined};
use crate::layers::Origin;
use crate::nearest::nearest;
use crate::tree::{self, Data, Field, Node};

/// One key set by one layer.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub key: &'static Key,
    pub value: Json,
    pub origin: Origin,
    /// Where its value starts; none for a default.
    place: Option<Place>,
}

impl Setting {
    pub(crate) fn of_default(key: &'static Key) -> Self {
        Self { key, value: key.default.clone(), origin: Origin::Default, place: None }
    }

    /// An error about the value.
    pub(crate) fn error(&self, message: String) -> ConfigError {
        let place = self.place.clone().unwrap_or_else(|| Place::Flag(self.key.path.clone()));
        ConfigError { place, message, hint: None, also: Vec::new() }
    }
}

/// Whose file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    User,
    Vault,
}

/// What a layer sets, and all that is wrong in it.
pub(crate) type Layer = (Vec<Setting>, Vec<ConfigError>);

/// For each leaf the setting that counts, by its path.
pub(crate) type InForce = BTreeMap<&'static str, Setting>;

/// What the layers below say of a key.
fn below<'f>(in_force: &'f InForce, key: &'static Key) -> &'f Json {
    in_force.get(key.path.as_str()).map_or(&key.default, |setting| &setting.value)
}

/// The settings of a file.
pub(crate) fn file(source: Source, path: &str, text: &[u8], in_force: &InForce) -> Layer {
    let mut walk = Walk { source, path, in_force, settings: Vec::new(), problems: Vec::new() };
    match tree::read(text) {
        Ok(None | Some(Node { data: Data::Nothing { .. }, .. })) => {}
        Ok(Some(Node { data: Data::Map(fields), .. })) => walk.table("", &fields),
        Ok(Some(node)) => {
            let message = format!("the file must be a mapping of keys, not {}", check::found(&node));
            walk.problems.push(Problem::new(node.at, message));
        }
        Err(problem) => walk.problems.push(problem),
    }
    let errors = walk.problems.into_iter().map(|problem| {
        let place = place(path, problem.at);
        ConfigError { place, message: problem.message, hint: problem.hint, also: Vec::new() }
    });
    (walk.settings, errors.collect())
}

fn place(path: &str, at: Mark) -> Place {
    Place::File { path: path.to_owned(), line: at.line, column: at.column }
}

/// A way through the tree of one file.
struct Walk<'f> {
    source: Source,
    path: &'f str,
    in_force: &'f InForce,
    settings: Vec<Setting>,
    problems: Vec<Problem>,
}

/// No more is read of a file once it holds so many errors.
const MAX_PROBLEMS: usize = 50;

impl Walk<'_> {
    fn table(&mut self, table: &str, fields: &[Field]) {
        for field in fields {
            if self.problems.len() >= MAX_PROBLEMS {
                return;
            }
            // A key with a dot in it is not the way to a key: written so, it could be set twice.
            let key = keys::find(&joined(table, &field.key)).filter(|key| key.name() == field.key);
            match key {
                None => self.problems.push(unknown(table, field)),
                Some(key) if key.is_leaf() => self.leaf(key, field),
                Some(key) => self.inner(key, &field.value),
            }
        }
    }

    /// A table all of whose keys are commented out sets nothing.
    fn inner(&mut self, key: &Key, value: &Node) {
        match &value.data {
            Data::Map(own) => self.table(&key.path, own),
            Data::Nothing { .. } => {}
            _ => {
                let message = format!("'{}' wants a mapping of keys, not {}", key.path, check::found(value));
                self.problems.push(Problem::new(value.at, message));
            }
        }
    }

    fn leaf(&mut self, key: &'static Key, field: &Field) {
        if key.shape == Shape::Folder && self.source == Source::Vault {
            let message = format!("'{}' can only be set in the user's own file", key.path);
            self.problems.push(Problem::new(field.at, message).hint("take the line away"));
            return;
        }
        match check::over(key, &field.value, below(self.in_force, key)) {
            Ok(value) => {
                let (path, line) = (self.path.to_owned(), field.at.line);
                let origin = match self.source {
                    Source::User => Origin::User { path, line },
                    Source::Vault => Origin::Vault { path, line },
                };
                let place = Some(place(self.path, field.value.at));
                self.settings.push(Setting { key, value, origin, place });
            }
            Err(problems) => self.problems.extend(problems),
        }
    }
}

fn unknown(table: &str, field: &Field) -> Problem {
    let path = joined(table, &field.key);
    let problem = Problem::new(field.at, format!("unknown key '{}'", clean(&path)));
    if let Some((table, name)) = field.key.rsplit_once('.')
        && keys::find(&field.key).is_some()
    {
        return problem.hint(format!("write '{name}' below '{table}:'"));
    }
    match meant(table, &field.key) {
        Some(near) => problem.hint(format!("did you mean '{near}'?")),
        None => problem,
    }
}

/// The key that was meant by `name` in that table: one of the same table first, then any.
fn meant(table: &str, name: &str) -> Option<&'static str> {
    let by_name = |is_sibling: bool| {
        let own = |key: &&Key| (parent(key) == table) == is_sibling;
        let near = nearest(name, keys::all().iter().filter(own).map(Key::name))?;
        keys::all().iter().filter(own).find(|key| key.name() == near)
    };
    let key = by_name(true).or_else(|| by_name(false));
    key.map(|key| key.path.as_str()).or_else(|| nearest_path(&joined(table, name)))
}

fn nearest_path(path: &str) -> Option<&'static str> {
    nearest(path, keys::all().iter().map(|key| key.path.as_str()))
}

fn parent(key: &Key) -> &str {
    key.path.rsplit_once('.').map_or("", |(table, _)| table)
}

/// The settings of the environment.
pub(crate) fn variables(
    variables: &[(OsString, OsString)],
    reserved: &[String],
    in_force: &InForce,
) -> Layer {
    let mut layer = Layer::default();
    let mut ours: Vec<(String, &OsString)> = variables
        .iter()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value))
        .filter(|(name, _)| name.starts_with(PREFIX) && !reserved.contains(name))
        .collect();
    // The order of an environment is an accident; that of our errors is not.
    ours.sort();
    for (name, value) in ours {
        let error = |message: String, hint| ConfigError {
            place: Place::Variable(name.clone()),
            message,
            hint,
            also: Vec::new(),
        };
        let key = keys::all().iter().find(|key| key.is_leaf() && key.variable() == name);
        match (key, value.to_str()) {
            (None, _) => {
                layer.1.push(error(
                    format!("unknown variable '{}'", clean(&name)),
                    near_variable(&name, reserved),
                ));
            }
            (Some(_), None) => layer.1.push(error("not UTF-8".to_owned(), None)),
            (Some(_), Some("")) => {}
            (Some(key), Some(text)) => {
                let given = Given { key, text, origin: Origin::Variable(name.clone()) };
                given.read(&mut layer, Place::Variable(name.clone()), in_force);
            }
        }
    }
    layer
}

fn near_variable(name: &str, reserved: &[String]) -> Option<String> {
    let known: Vec<String> = keys::all().iter().filter(|key| key.is_leaf()).map(Key::variable).collect();
    let known = known.iter().chain(reserved).filter_map(|known| known.strip_prefix(PREFIX));
    let near = nearest(name.strip_prefix(PREFIX)?, known)?;
    Some(format!("did you mean '{PREFIX}{near}'?"))
}

/// One setting of the command line.
pub(crate) fn flag(path: &str, text: &str, in_force: &InForce) -> Layer {
    let mut layer = Layer::default();
    let place = Place::Flag(path.to_owned());
    match keys::find(path).filter(|key| key.is_leaf()) {
        Some(key) => Given { key, text, origin: Origin::Flag }.read(&mut layer, place, in_force),
        None => {
            let (table, name) = path.rsplit_once('.').unwrap_or(("", path));
            let near = || meant(table, name).map(|near| format!("did you mean '{near}'?"));
            let hint = within_kinds(path, text).or_else(near);
            let message = format!("unknown key '{}'", clean(path));
            layer.1.push(ConfigError { place, message, hint, also: Vec::new() });
        }
    }
    layer
}

/// A path that goes on into the kinds of notes, whose names are no keys of their own: the form that works.
fn within_kinds(path: &str, text: &str) -> Option<String> {
    let key = keys::all().iter().find(|key| key.shape == Shape::Kinds && is_within(path, &key.path))?;
    let names = path[key.path.len() + 1..].rsplit('.');
    let value = names.fold(clean(text), |inner, name| format!("{{{}: {inner}}}", clean(name)));
    Some(format!("write '{}={value}'", key.path))
}

fn is_within(path: &str, table: &str) -> bool {
    path.strip_prefix(table).is_some_and(|rest| rest.starts_with('.'))
}

/// One value given as a text of its own.
struct Given<'t> {
    key: &'static Key,
    text: &'t str,
    origin: Origin,
}

impl Given<'_> {
    fn read(self, layer: &mut Layer, place: Place, in_force: &InForce) {
        let Self { key, text, origin } = self;
        let value = value_of(key, text)
            .map_err(|problem| vec![problem])
            .and_then(|node| check::over(key, &node, below(in_force, key)));
        match value {
            Ok(value) => layer.0.push(Setting { key, value, origin, place: Some(place) }),
            Err(problems) => layer.1.extend(problems.into_iter().map(|problem| {
                let Problem { message, hint, .. } = problem;
                ConfigError { place: place.clone(), message, hint, also: Vec::new() }
            })),
        }
    }
}

/// A text that starts with a bracket or a quote is YAML, any other is itself: `*.md` needs no quotes here.
fn value_of(key: &Key, text: &str) -> Result<Node, Problem> {
    let at = Mark { line: 1, column: 1 };
    let text = text.trim();
    let is_yaml = text.starts_with(['[', '\'', '"']) || key.shape == Shape::Kinds;
    let node = match is_yaml {
        true => tree::read(text.as_bytes())?,
        false => None,
    };
    let bare = || Node { at, data: Data::Scalar { text: text.to_owned(), is_quoted: false } };
    let node = node.unwrap_or_else(bare);
    let is_list = key.shape.is_list();
    match node.data {
        Data::Scalar { .. } if is_list => Ok(Node { at, data: Data::List(vec![node]) }),
        _ => Ok(node),
    }
}
