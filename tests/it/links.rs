//! Links as a reader of a line sees them, by their marks alone: what the tests hold the program's own reading against.

/// A text in which each link is the words that it shows.
pub fn shown(text: &str) -> String {
    let mut out = String::new();
    walk(text, &mut |piece| match piece {
        Piece::Text(text) => out.push_str(text),
        Piece::Link { words, .. } => out.push_str(words),
    });
    out
}

/// The links of a text, as written.
pub fn of(text: &str) -> Vec<String> {
    let mut links = Vec::new();
    walk(text, &mut |piece| {
        if let Piece::Link { link, .. } = piece {
            links.push(link.to_owned());
        }
    });
    links
}

enum Piece<'a> {
    Text(&'a str),
    Link { link: &'a str, words: &'a str },
}

fn walk<'a>(text: &'a str, take: &mut dyn FnMut(Piece<'a>)) {
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        let (before, from) = rest.split_at(at);
        take(Piece::Text(before));
        match wikilink(from).or_else(|| markdown(from)) {
            Some((link, words)) => {
                take(Piece::Link { link, words });
                rest = &from[link.len()..];
            }
            None => {
                take(Piece::Text(&from[..1]));
                rest = &from[1..];
            }
        }
    }
    take(Piece::Text(rest));
}

/// The wikilink that a text starts with, and its words.
fn wikilink(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix("[[")?.split("]]").next()?;
    let link = text.get(..inner.len() + 4).filter(|link| link.ends_with("]]"))?;
    let is_one = !inner.is_empty() && !inner.contains(['[', ']', '\n', '\r']);
    let words = inner.split_once('|').map_or(inner, |(_, words)| words);
    is_one.then_some((link, words))
}

/// The Markdown link that a text starts with, and its words.
fn markdown(text: &str) -> Option<(&str, &str)> {
    let (words, rest) = text.strip_prefix('[')?.split_once("](")?;
    let (address, _) = rest.split_once(')')?;
    let is_one = !words.contains(['[', ']', '\n', '\r']) && !address.contains(['(', ' ', '\n', '\r']);
    is_one.then_some((&text[..words.len() + address.len() + 4], words))
}

#[test]
fn links_are_what_they_show() {
    let text = "a [[b]], [[c\\|d]] [e](f.md) [[]] [g] (h) ![[i|j]] [[k\r]]";
    assert_eq!(shown(text), "a b, d e [[]] [g] (h) !j [[k\r]]");
    assert_eq!(of(text), ["[[b]]", "[[c\\|d]]", "[e](f.md)", "[[i|j]]"]);
}
