//! From the events of the Markdown reader to blocks, links, labels and the spans that it alone can
//! protect. One pass with its own stack: depth is capped, nothing recurses.

use super::link::{self, Link, LinkKind};
use super::overlay::{Masked, Overlay};
use super::{Block, BlockKind, Label, LabelKind, LabelRole, MAX_DEPTH, Markdown, Span, merge};
use crate::vault::line;
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, LinkType, Options, Parser, Tag};
use std::ops::Range;

/// The dialect: what Obsidian reads, as far as the reader knows it.
pub(super) fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_WIKILINKS
}

/// Reads a masked body into blocks and spans of `text`.
pub(super) fn build(text: &str, body: usize, masked: &Masked<'_>) -> Markdown {
    let parser = Parser::new_ext(&masked.body, options());
    let definitions: Vec<_> = parser
        .reference_definitions()
        .iter()
        .map(|(name, definition)| (fold_label(name), shift(definition.span.clone(), body)))
        .collect();
    let mut builder = Builder::new(text, body, masked);
    for (event, range) in parser.into_offset_iter() {
        builder.take(event, shift(range, body));
    }
    builder.finish(definitions)
}

fn shift(range: Range<usize>, by: usize) -> Span {
    Span::new(range.start + by, range.end + by)
}

/// A label as it is compared: lower case, blanks as one space.
fn fold_label(label: &str) -> String {
    label.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Inline elements whose words are not prose, though a reader sees them.
const WHOLE_ELEMENTS: [&str; 5] = ["a", "code", "kbd", "script", "style"];

/// A block whose end has not come yet.
struct Open {
    kind: BlockKind,
    range: Span,
    words: Option<Span>,
    children: Vec<Block>,
}

struct Builder<'a> {
    text: &'a str,
    masked: &'a Masked<'a>,
    body: usize,
    open: Vec<Open>,
    /// Blocks below the depth that is kept.
    n_too_deep: usize,
    open_links: Vec<usize>,
    /// The element of `WHOLE_ELEMENTS` that is open in this block, and where it starts.
    element: Option<(&'static str, usize)>,
    /// What each start event opened, so that its end closes the same.
    kinds: Vec<Opened>,
    out: Markdown,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Opened {
    Block,
    TooDeep,
    Link,
    Other,
}

impl<'a> Builder<'a> {
    fn new(text: &'a str, body: usize, masked: &'a Masked<'a>) -> Self {
        let mut out = Markdown::default();
        out.protected.push(Span::new(0, body));
        for overlay in &masked.overlays {
            let span = shift(overlay.span.start..overlay.span.end, body);
            out.protected.push(span);
            if !overlay.is_math {
                out.comments.push(span);
            }
        }
        Builder {
            text,
            masked,
            body,
            open: vec![],
            n_too_deep: 0,
            open_links: vec![],
            element: None,
            kinds: vec![],
            out,
        }
    }

    fn take(&mut self, event: Event<'_>, range: Span) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(_) => self.end(),
            Event::Rule => {
                self.push_block(BlockKind::Rule, range);
                self.pop_block();
            }
            Event::Html(_) | Event::TaskListMarker(_) => {}
            inline => self.inline(&inline, range),
        }
    }

    fn inline(&mut self, event: &Event<'_>, range: Span) {
        match event {
            Event::Code(_) => {
                self.out.code.push(range);
                self.out.protected.push(range);
            }
            Event::InlineMath(_) | Event::DisplayMath(_) => self.out.protected.push(range),
            Event::InlineHtml(_) => self.inline_html(range),
            Event::FootnoteReference(label) => {
                self.out.protected.push(range);
                self.label(range, label, LabelKind::Footnote, LabelRole::Uses);
            }
            _ => {}
        }
        self.saw(range);
    }

    fn inline_html(&mut self, range: Span) {
        self.out.protected.push(range);
        let tag = range.of(self.text);
        if tag.starts_with("<!--") {
            self.out.comments.push(range);
        }
        match self.element {
            Some((name, start)) if is_tag(tag, "</", name) => {
                self.out.protected.push(Span::new(start, range.end));
                self.element = None;
            }
            Some(_) => {}
            None => {
                let name = WHOLE_ELEMENTS.into_iter().find(|name| is_tag(tag, "<", name));
                self.element = name.map(|name| (name, range.start));
            }
        }
    }

    /// Counts inline bytes to the words of the innermost link and block.
    fn saw(&mut self, range: Span) {
        if let Some(link) = self.open_links.last().and_then(|open| self.out.links.get_mut(*open)) {
            let known = Some(link.shown).filter(|shown| !shown.is_empty());
            link.shown = grown(known, range);
        }
        if self.n_too_deep == 0
            && let Some(block) = self.open.last_mut()
        {
            block.words = Some(grown(block.words, range));
        }
    }

    fn label(&mut self, span: Span, name: &str, kind: LabelKind, role: LabelRole) {
        self.out.labels.push(Label { span, name: fold_label(name), kind, role });
    }

    fn start(&mut self, tag: Tag<'_>, range: Span) {
        let opened = match tag {
            Tag::Link { link_type, dest_url, id, .. } => {
                self.start_link(link_type, &dest_url, &id, range, LinkKind::Inline)
            }
            Tag::Image { link_type, dest_url, id, .. } => {
                self.start_link(link_type, &dest_url, &id, range, LinkKind::Image)
            }
            Tag::FootnoteDefinition(label) => {
                let mark = range.of(self.text).find("]:").map_or(range.start, |here| range.start + here + 2);
                self.out.protected.push(Span::new(range.start, mark));
                let whole = line::whole(self.text, range);
                self.label(whole, &label, LabelKind::Footnote, LabelRole::Defines);
                self.push_block(BlockKind::Footnote, range)
            }
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough => {
                self.saw(range);
                Opened::Other
            }
            tag => match self.block_kind(&tag, range) {
                Some(kind) => self.push_block(kind, range),
                None => Opened::Other,
            },
        };
        self.kinds.push(opened);
    }

    fn end(&mut self) {
        match self.kinds.pop() {
            Some(Opened::Block) => self.pop_block(),
            Some(Opened::TooDeep) => self.n_too_deep -= 1,
            Some(Opened::Link) => {
                self.open_links.pop();
            }
            Some(Opened::Other) | None => {}
        }
    }

    fn start_link(&mut self, style: LinkType, target: &str, id: &str, span: Span, kind: LinkKind) -> Opened {
        self.saw(span);
        self.out.protected.push(span);
        if matches!(style, LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut) {
            self.label(span, id, LabelKind::Reference, LabelRole::Uses);
        }
        let kind = match (style, kind) {
            (LinkType::WikiLink { .. }, LinkKind::Image) => LinkKind::Embed,
            (LinkType::WikiLink { .. }, _) => LinkKind::Wiki,
            (LinkType::Autolink | LinkType::Email, _) => LinkKind::Auto,
            (_, kind) => kind,
        };
        let (target, fragment) = link::split_target(target, kind);
        self.open_links.push(self.out.links.len());
        self.out.links.push(Link { span, shown: Span::at(span.end), target, fragment, kind });
        Opened::Link
    }

    fn block_kind(&mut self, tag: &Tag<'_>, range: Span) -> Option<BlockKind> {
        Some(match tag {
            Tag::Paragraph => BlockKind::Paragraph,
            Tag::Heading { level, .. } => BlockKind::Heading(level_of(*level)),
            Tag::BlockQuote(_) if opens_callout(range.of(self.text)) => BlockKind::Callout,
            Tag::BlockQuote(_) => BlockKind::Quote,
            Tag::CodeBlock(style) => {
                let whole = line::whole(self.text, range);
                self.out.code.push(whole);
                self.out.protected.push(whole);
                match style {
                    CodeBlockKind::Fenced(_) => BlockKind::Fence,
                    CodeBlockKind::Indented => BlockKind::IndentedCode,
                }
            }
            Tag::HtmlBlock => self.html_kind(range),
            Tag::List(first) => BlockKind::List { ordered: first.is_some() },
            Tag::Item => BlockKind::Item { task: task_of(range.of(self.text)) },
            Tag::Table(_) => BlockKind::Table,
            _ => return None,
        })
    }

    fn html_kind(&mut self, range: Span) -> BlockKind {
        if let Some(overlay) = self.overlay_at(range.start) {
            return if overlay.is_math { BlockKind::Math } else { BlockKind::Comment };
        }
        self.out.protected.push(range);
        let html = range.of(self.text).trim_start();
        let start = range.end - html.len();
        let html = html.trim_end();
        if !html.starts_with("<!--") {
            return BlockKind::Html;
        }
        match html.find("-->") {
            Some(close) => {
                self.out.comments.push(Span::new(start, start + close + 3));
                if close + 3 == html.len() { BlockKind::HtmlComment } else { BlockKind::Html }
            }
            None => {
                // Its list item ended before the comment did: a browser still reads on.
                let rest = Span::new(range.end, self.text.len()).of(self.text);
                let end = rest.find("-->").map_or(self.text.len(), |close| range.end + close + 3);
                self.out.comments.push(Span::new(start, end));
                BlockKind::HtmlComment
            }
        }
    }

    fn overlay_at(&self, start: usize) -> Option<&Overlay> {
        let start = start.checked_sub(self.body)?;
        let found = self.masked.overlays.binary_search_by_key(&start, |overlay| overlay.span.start).ok()?;
        self.masked.overlays.get(found)
    }

    fn push_block(&mut self, kind: BlockKind, range: Span) -> Opened {
        if self.n_too_deep > 0 || self.open.len() >= MAX_DEPTH {
            self.n_too_deep += 1;
            return Opened::TooDeep;
        }
        self.close_tight_words();
        self.open.push(Open { kind, range, words: None, children: Vec::new() });
        Opened::Block
    }

    /// A tight item holds its words directly: they become the paragraph they are in a loose one.
    fn close_tight_words(&mut self) {
        let Some(item) = self.open.last_mut().filter(|open| is_holder(open.kind)) else { return };
        if let Some(words) = item.words.take() {
            let span = line::whole(self.text, words);
            item.children.push(Block { kind: BlockKind::Paragraph, span, text: words, children: vec![] });
        }
    }

    fn pop_block(&mut self) {
        self.close_tight_words();
        self.element = None;
        let Some(open) = self.open.pop() else { return };
        let span = line::whole(self.text, self.without_quote_marks(open.range));
        let mut block = Block { kind: open.kind, span, text: Span::at(span.start), children: open.children };
        match open.kind {
            BlockKind::Heading(_) => block.text = open.words.unwrap_or(Span::at(open.range.end)),
            BlockKind::Paragraph => {
                block.text = open.words.unwrap_or(Span::at(open.range.end));
                block.kind = self.paragraph_kind(block.text);
            }
            BlockKind::Item { .. } => block.text = self.item_text(&open.range, &block.children),
            _ => {}
        }
        if open.kind == BlockKind::Callout {
            self.protect_callout_head(span);
        }
        match self.open.last_mut() {
            Some(parent) => {
                let floor = parent.children.last().map_or(0, |last| last.span.end);
                raise(&mut block, floor);
                parent.children.push(block);
            }
            None => self.out.blocks.push(block),
        }
    }

    /// Inside a quote, the blank lines after a block carry marks, and the reader counts them in.
    fn without_quote_marks(&self, range: Span) -> Span {
        if !self.open.iter().any(|open| matches!(open.kind, BlockKind::Quote | BlockKind::Callout)) {
            return range;
        }
        let kept = range.of(self.text).trim_end_matches(['>', ' ', '\t', '\n', '\r']).len();
        Span::new(range.start, range.start + kept.max(1).min(range.len()))
    }

    fn paragraph_kind(&self, words: Span) -> BlockKind {
        let shown = words.of(self.text).trim();
        if shown.len() >= 4 && shown.starts_with("$$") && shown.find("$$") != shown.rfind("$$") {
            let is_whole = shown[2..].find("$$").is_some_and(|close| close + 4 == shown.len());
            return if is_whole { BlockKind::Math } else { BlockKind::Paragraph };
        }
        match self.overlay_at(words.start) {
            Some(overlay) if overlay.span.end + self.body == words.end => BlockKind::Comment,
            _ => BlockKind::Paragraph,
        }
    }

    fn item_text(&self, range: &Span, children: &[Block]) -> Span {
        let first = children.first().filter(|child| child.kind == BlockKind::Paragraph);
        let Some(first) = first else { return Span::at(range.start) };
        let n_box = line::checkbox(first.text.of(self.text)).map_or(0, |(_, n_bytes)| n_bytes);
        Span::new(first.text.start + n_box, first.text.end)
    }

    fn protect_callout_head(&mut self, span: Span) {
        let head = Span::new(span.start, line::end(self.text, span.start));
        if let Some(mark) = head.of(self.text).find("[!") {
            self.out.protected.push(Span::new(head.start + mark, head.end));
        }
    }

    fn finish(mut self, definitions: Vec<(String, Span)>) -> Markdown {
        for (name, span) in definitions {
            self.out.protected.push(span);
            let whole = line::whole(self.text, span);
            let role = LabelRole::Defines;
            self.out.labels.push(Label { span: whole, name, kind: LabelKind::Reference, role });
        }
        self.add_definitions();
        self.out.labels.sort_by_key(|label| (label.span, label.kind));
        self.out.links.sort_by_key(|link| link.span);
        self.out.comments = merge(self.out.comments);
        self.out.protected = merge(self.out.protected);
        self.out
    }

    /// Definitions make no events. What is left between the blocks and is not blank is theirs, those that
    /// an earlier one of the same name outdoes included.
    fn add_definitions(&mut self) {
        let mut at = self.body;
        let mut found = Vec::new();
        let ends = self.out.blocks.iter().map(|block| block.span).chain([Span::at(self.text.len())]);
        for next in ends {
            found.extend(filled_runs(self.text, Span::new(at, next.start)));
            at = next.end;
        }
        for span in found {
            self.out.protected.push(span);
            let text = Span::at(span.start);
            self.out.blocks.push(Block { kind: BlockKind::Definition, span, text, children: vec![] });
        }
        self.out.blocks.sort_by_key(|block| block.span);
    }
}

/// The runs of lines in `gap` that are not blank.
fn filled_runs(text: &str, gap: Span) -> Vec<Span> {
    let mut runs: Vec<Span> = Vec::new();
    for line in line::each(text, gap).filter(|line| !line::is_blank(line.of(text))) {
        match runs.last_mut() {
            Some(run) if run.end == line.start => run.end = line.end,
            _ => runs.push(line),
        }
    }
    runs
}

/// The span from the start of what is known to the end of both.
fn grown(known: Option<Span>, range: Span) -> Span {
    known.map_or(range, |known| Span::new(known.start.min(range.start), known.end.max(range.end)))
}

fn is_tag(tag: &str, opening: &str, name: &str) -> bool {
    let Some(tag) = tag.strip_prefix(opening) else { return false };
    let is_name = tag.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    is_name && tag[name.len()..].starts_with(['>', ' ', '\t', '\n', '\r', '/'])
}

fn is_holder(kind: BlockKind) -> bool {
    matches!(kind, BlockKind::Item { .. } | BlockKind::Footnote)
}

fn level_of(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

fn opens_callout(quote: &str) -> bool {
    quote.strip_prefix('>').is_some_and(|head| head.trim_start_matches([' ', '\t']).starts_with("[!"))
}

/// The character in the checkbox of an item, read from its first line.
fn task_of(item: &str) -> Option<char> {
    line::checkbox(line::without_marker(item)).map(|(mark, _)| mark)
}

/// Takes from a block what its elder brother has: the parser gives some lists in lists the line above them too.
fn raise(block: &mut Block, floor: usize) {
    if block.span.start >= floor || block.span.end <= floor {
        return;
    }
    block.span.start = floor;
    let start = block.text.start.max(floor);
    block.text = Span::new(start, block.text.end.max(start));
    block.children.iter_mut().for_each(|child| raise(child, floor));
}
