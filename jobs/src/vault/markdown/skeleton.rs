//! What a text is made of besides its words: to see whether an edit that put links into it changed anything else.

use super::{build::options, overlay};
use pulldown_cmark::{Event, LinkType, Parser, Tag, TagEnd};
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    mem::discriminant,
};

/// The blocks, emphasis, code, math, HTML, breaks and links of a body in order, wikilinks and links to `addresses`
/// apart, hashed: two texts of one skeleton differ in their words and those links alone. With it their number.
pub fn skeleton(text: &str, body: usize, addresses: &[&str]) -> (u64, usize) {
    let masked = overlay::mask(text, body);
    let mut shape = DefaultHasher::new();
    let mut n_links = 0;
    let mut open = Vec::new();
    for event in Parser::new_ext(&masked.body, options()) {
        match &event {
            Event::Text(_) => continue,
            Event::Start(Tag::Link { link_type, dest_url, .. })
                if is_free(*link_type, dest_url, addresses) =>
            {
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

fn is_free(kind: LinkType, address: &str, addresses: &[&str]) -> bool {
    match kind {
        LinkType::WikiLink { .. } => true,
        LinkType::Inline => addresses.contains(&address),
        _ => false,
    }
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
