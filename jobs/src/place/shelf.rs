//! A note as places to put blocks: its headings and lead lines as a tree, each with where its own text
//! and all below it end. Read once; insertions refer to the note as it was read.

use super::add::{Addition, Part, Rank, heading_level};
use crate::{
    change::End,
    vault::{
        Span,
        entry::{is_lead, title},
        frontmatter::Frontmatter,
        markdown::{Block, BlockKind, Markdown},
    },
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet},
};

/// One heading or lead line, or the note itself (the first, with the title if it has one).
struct Node {
    /// 0 for the note, 1 to 6 for headings, 7 for a lead line.
    level: u8,
    /// Where its line starts.
    head: usize,
    /// Where what it holds starts: after its line, and for the note after frontmatter and title.
    start: usize,
    /// Where its own blocks end, before the first child; `start` where it has none.
    own_end: usize,
    /// The same, with its lead lines and their lists.
    leads_end: usize,
    /// Where all it holds ends.
    area_end: usize,
    /// Where its first block or child starts, if any.
    first: Option<usize>,
    first_is_list: bool,
    /// True where its own blocks end with a list.
    last_is_list: bool,
    has_children: bool,
    has_sections: bool,
    /// By level, where the last section of that level or a deeper one ends; 0 where there is none.
    ends: [usize; 8],
}

const LEAD: u8 = 7;

/// A receiving note.
pub(super) struct Shelf<'a> {
    text: &'a str,
    nodes: Vec<Node>,
    children: HashMap<(usize, &'a str), usize>,
    /// Items and sections, by the node they stand in.
    blocks: HashSet<(usize, &'a str)>,
}

impl<'a> Shelf<'a> {
    pub fn of(text: &'a str) -> Self {
        let body = Frontmatter::body_of(text);
        let markdown = Markdown::parse(text, body);
        let note = Node::new(0, body, body);
        let mut shelf = Shelf { text, nodes: vec![note], children: HashMap::new(), blocks: HashSet::new() };
        let title = title(&markdown.blocks);
        let mut path = vec![0];
        for (n, block) in markdown.blocks.iter().enumerate() {
            match block.kind {
                BlockKind::Heading(_) if title == Some(n) => shelf.nodes[0].start_at(block.span.end),
                BlockKind::Heading(level) => shelf.open(&mut path, level, block),
                BlockKind::Paragraph if leads(text, &markdown.blocks, n) => {
                    shelf.open(&mut path, LEAD, block)
                }
                _ => shelf.add(&mut path, block),
            }
        }
        shelf.close(&mut path, 0);
        shelf
    }

    /// A new heading or lead line, below the last one of a smaller level.
    fn open(&mut self, path: &mut Vec<usize>, level: u8, block: &Block) {
        self.close(path, level);
        let parent = path.last().copied().unwrap_or(0);
        let crumb = block.span.of(self.text).trim_end();
        let child = self.nodes.len();
        self.nodes[parent].first.get_or_insert(block.span.start);
        self.nodes[parent].has_children = true;
        self.nodes[parent].has_sections |= level < LEAD;
        self.nodes.push(Node::new(level, block.span.start, block.span.end));
        self.children.entry((parent, crumb)).or_insert(child);
        path.push(child);
    }

    /// Ends every node of `level` and above; each has all that stood since it opened.
    fn close(&mut self, path: &mut Vec<usize>, level: u8) {
        while let Some(last) =
            path.last().copied().filter(|last| *last > 0 && self.nodes[*last].level >= level)
        {
            path.pop();
            let parent = path.last().copied().unwrap_or(0);
            let end = self.nodes[last].area_end;
            self.nodes[parent].area_end = end;
            let level = self.nodes[last].level;
            if level == LEAD && !self.nodes[parent].has_sections {
                self.nodes[parent].leads_end = end;
            }
            if level < LEAD {
                self.nodes[parent].ends[1..=usize::from(level)].fill(end);
            }
            let whole = Span::new(self.nodes[last].head, end).of(self.text).trim_end();
            self.blocks.insert((parent, whole));
        }
    }

    /// A block that is no heading. The list below a lead line closes it.
    fn add(&mut self, path: &mut Vec<usize>, block: &Block) {
        let at = path.last().copied().unwrap_or(0);
        let is_list = matches!(block.kind, BlockKind::List { .. });
        for item in block.children.iter().filter(|_| is_list) {
            self.blocks.insert((at, item.span.of(self.text).trim_end()));
        }
        self.nodes[at].hold(block.span, is_list);
        if self.nodes[at].level == LEAD {
            self.close(path, LEAD);
        }
    }

    /// True where the same lines stand there already, as an item or a section below the same lines.
    pub fn has(&self, under: &[String], block: &str) -> bool {
        let (node, rest) = self.descend(under);
        rest.is_empty() && self.blocks.contains(&(node, block.trim_end()))
    }

    /// The node that the first of these lines lead to, and the lines that are missing below it.
    fn descend<'u>(&self, under: &'u [String]) -> (usize, &'u [String]) {
        let (mut node, mut rest) = (0, under);
        while let Some((first, below)) = rest.split_first() {
            match self.children.get(&(node, first.as_str())) {
                Some(child) => (node, rest) = (*child, below),
                None => break,
            }
        }
        (node, rest)
    }

    pub fn additions(&self) -> Additions<'_, 'a> {
        Additions { shelf: self, at: BTreeMap::new() }
    }
}

impl Node {
    fn new(level: u8, head: usize, start: usize) -> Self {
        Node {
            level,
            head,
            start,
            own_end: start,
            leads_end: start,
            area_end: start,
            first: None,
            first_is_list: false,
            last_is_list: false,
            has_children: false,
            has_sections: false,
            ends: [0; 8],
        }
    }

    fn start_at(&mut self, start: usize) {
        (self.start, self.own_end, self.leads_end, self.area_end) = (start, start, start, start);
        (self.first, self.last_is_list) = (None, false);
    }

    fn hold(&mut self, span: Span, is_list: bool) {
        self.first_is_list |= self.first.is_none() && is_list;
        self.first.get_or_insert(span.start);
        self.area_end = span.end;
        if !self.has_children {
            (self.own_end, self.last_is_list) = (span.end, is_list);
        }
        if !self.has_sections {
            self.leads_end = span.end;
        }
    }
}

fn leads(text: &str, blocks: &[Block], n: usize) -> bool {
    let list_follows = blocks.get(n + 1).is_some_and(|next| matches!(next.kind, BlockKind::List { .. }));
    list_follows && blocks.get(n).is_some_and(|block| is_lead(text, block))
}

/// What each node of a shelf gains.
pub(super) struct Additions<'s, 'a> {
    shelf: &'s Shelf<'a>,
    at: BTreeMap<usize, Addition<'a>>,
}

/// A place, what is put there, and how many parts that is.
pub(super) type Insertion = (usize, String, usize);

impl<'a> Additions<'_, 'a> {
    /// Puts a part below its lines; where its own first line is a heading that stands there, below that,
    /// which is then true.
    pub fn put(&mut self, under: &[String], part: Part<'a>) -> bool {
        let (node, missing) = self.shelf.descend(under);
        let head = part.text.lines().next().unwrap_or_default().trim_end();
        let same = self
            .shelf
            .children
            .get(&(node, head))
            .filter(|_| missing.is_empty() && heading_level(head).is_some());
        match same {
            Some(child) => self.at.entry(*child).or_default().push(part.body(head)),
            None => self.at.entry(node).or_default().branch(missing).push(part),
        }
        same.is_some()
    }

    /// The insertions, one for each place. What several nodes gain at one place stands there in the
    /// order of the note: the innermost first, and a node's own blocks before its sections.
    pub fn insertions(self, end: End, eol: &str) -> Vec<Insertion> {
        let shelf = self.shelf;
        let mut gains: Vec<Gain<'_>> = Vec::new();
        for (node, addition) in self.at {
            let ranks = addition.by_rank().into_iter();
            gains.extend(ranks.map(|(rank, addition)| shelf.nodes[node].gain(node, rank, addition, end)));
        }
        gains.sort_by_key(|gain| (gain.at, Reverse(gain.node), gain.rank));
        let groups = gains.chunk_by(|a, b| a.at == b.at);
        groups.map(|group| insertion(shelf.text, group, eol)).collect()
    }
}

/// What one node gains at one place.
struct Gain<'a> {
    at: usize,
    node: usize,
    rank: Rank,
    addition: Addition<'a>,
    /// True where it goes on with the list above, or below, without a blank line.
    joins_above: bool,
    joins_below: bool,
}

fn insertion(text: &str, gains: &[Gain<'_>], eol: &str) -> Insertion {
    let (at, mut put, mut count) = (gains.first().map_or(0, |gain| gain.at), String::new(), 0);
    for gain in gains {
        let above = if put.is_empty() { text.get(..at).unwrap_or_default() } else { &put };
        let gap = gap_above(above, gain.joins_above, eol);
        put.push_str(&gap);
        put.push_str(&gain.addition.render(eol));
        count += gain.addition.count();
    }
    let joins = gains.last().is_some_and(|gain| gain.joins_below);
    put.push_str(gap_below(text, at, joins, eol));
    (at, put, count)
}

impl Node {
    fn gain<'a>(&self, node: usize, rank: Rank, addition: Addition<'a>, end: End) -> Gain<'a> {
        let (at, joins_above, joins_below) = match (rank, end) {
            (Rank::Own, End::Bottom) => (self.own_end, self.last_is_list, false),
            // A BOM belongs to the line of the first block, and stays first.
            (Rank::Own, End::Top) => {
                (self.first.unwrap_or(self.start).max(self.start), false, self.first_is_list)
            }
            (Rank::Leads, _) | (Rank::Bare, End::Top) => (self.leads_end, false, false),
            (Rank::Bare, End::Bottom) => (self.area_end, false, false),
            // After the deeper sections, which would stand in it otherwise.
            (Rank::Section(Reverse(level)), End::Top) => (self.end_of(level + 1), false, false),
            (Rank::Section(Reverse(level)), End::Bottom) => (self.end_of(level), false, false),
        };
        Gain { at, node, rank, addition, joins_above, joins_below }
    }

    /// Where its last section of this level or a deeper one ends.
    fn end_of(&self, level: u8) -> usize {
        self.ends[usize::from(level)].max(self.leads_end)
    }
}

/// The line end that a last line lacks, and a blank line where none stands.
fn gap_above(above: &str, joins: bool, eol: &str) -> String {
    let above = above.trim_start_matches('\u{feff}');
    let end = if above.is_empty() || above.ends_with('\n') { "" } else { eol };
    let lines = above.trim_end_matches([' ', '\t']);
    let is_blank = lines.strip_suffix('\n').is_none_or(|rest| rest.trim_end_matches('\r').ends_with('\n'));
    let blank = if above.is_empty() || joins || (end.is_empty() && is_blank) { "" } else { eol };
    format!("{end}{blank}")
}

fn gap_below<'e>(text: &str, at: usize, joins: bool, eol: &'e str) -> &'e str {
    let below = text.get(at..).unwrap_or_default();
    let is_blank = below.lines().next().is_none_or(|line| line.trim().is_empty());
    if is_blank || joins { "" } else { eol }
}
