//! What a text is made of besides its words: to see whether an edit that put links into it changed anything else.

use super::{build::options, overlay};
use pulldown_cmark::{Event, LinkType, Parser, Tag, TagEnd};
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    mem::discriminant,
};

/// The blocks, emphasis, code, math, HTML, breaks and links of a body in order, wikilinks apart, hashed: two
/// texts of one skeleton differ in their words and wikilinks alone. With it the number of wikilinks.
pub fn skeleton(text: &str, body: usize) -> (u64, usize) {
    let masked = overlay::mask(text, body);
    let mut shape = DefaultHasher::new();
    let mut n_links = 0;
    let mut open = Vec::new();
    for event in Parser::new_ext(&masked.body, options()) {
        match &event {
            Event::Text(_) => continue,
            Event::Start(Tag::Link { link_type: LinkType::WikiLink { .. }, .. }) => {
                n_links += 1;
                open.push(true);
                continue;
            }
            Event::End(TagEnd::Link) if open.pop() == Some(true) => continue,
            Event::Start(tag) => start(tag, &mut open, &mut shape),
            Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => text.hash(&mut shape),
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                text.hash(&mut shape);
            }
            Event::End(tag) => discriminant(tag).hash(&mut shape),
            Event::SoftBreak | Event::HardBreak | Event::Rule | Event::TaskListMarker(_) => {}
        }
        discriminant(&event).hash(&mut shape);
    }
    (shape.finish(), n_links)
}

fn start(tag: &Tag<'_>, open: &mut Vec<bool>, shape: &mut DefaultHasher) {
    discriminant(tag).hash(shape);
    match tag {
        Tag::Link { dest_url, .. } => {
            open.push(false);
            dest_url.hash(shape);
        }
        Tag::Image { dest_url, .. } => dest_url.hash(shape),
        Tag::Heading { level, .. } => level.hash(shape),
        _ => {}
    }
}
