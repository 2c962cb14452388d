//! What a text is made of besides its words: to see whether an edit that put links into it changed anything else.

use super::{build::options, overlay};
use pulldown_cmark::{Event, LinkType, Parser, Tag, TagEnd};

/// The blocks, emphasis, code, math, HTML, breaks and links of a body in order, wikilinks apart: two texts of
/// one skeleton differ in their words and wikilinks alone. With it the number of wikilinks.
pub fn skeleton(text: &str, body: usize) -> (Vec<String>, usize) {
    let masked = overlay::mask(text, body);
    let mut shapes = Vec::new();
    let mut n_links = 0;
    let mut open = Vec::new();
    for event in Parser::new_ext(&masked.body, options()) {
        match &event {
            Event::Text(_) => {}
            Event::Start(Tag::Link { link_type: LinkType::WikiLink { .. }, .. }) => {
                n_links += 1;
                open.push(true);
            }
            Event::Start(Tag::Link { .. }) => {
                open.push(false);
                shapes.push(format!("{event:?}"));
            }
            Event::End(TagEnd::Link) if open.pop() == Some(true) => {}
            other => shapes.push(format!("{other:?}")),
        }
    }
    (shapes, n_links)
}
