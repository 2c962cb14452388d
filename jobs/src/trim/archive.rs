//! The archive of a memory: where it lies, how it starts, and whether the memory leads to it.

use super::sheet::Sheet;
use super::{OLDEST, POINTER, links};
use crate::{
    change::{Edit, End, Move, Place, Why},
    finding::{Finding, Severity},
    vault::{
        Access, NotePath, Span, Vault,
        archive::{ENDING, is_archive, origin_stem},
        entry::{Direction, has_marks, title},
        frontmatter::Frontmatter,
        line,
        markdown::Markdown,
    },
};
use chrono::Datelike;
use config::{Split, Trim};

/// The archives of a memory.
#[derive(Clone)]
pub(super) struct Archives {
    memory: NotePath,
    /// The one that is not of a year.
    pub first: NotePath,
    /// True where the first one is full, and it goes on in one for each year.
    goes_on: bool,
}

impl Archives {
    pub fn of(settings: &Trim, vault: &Vault, memory: &NotePath) -> Archives {
        let first = beside(memory, "");
        let n_bytes = vault.note(&first).map_or(0, |note| note.text.len());
        let goes_on = settings.split == Split::Year && n_bytes > settings.archive_bytes;
        Archives { memory: memory.clone(), first, goes_on }
    }

    /// The archive that takes an entry.
    pub fn target(&self, sheet: &Sheet<'_>, entry: usize) -> NotePath {
        if !self.goes_on {
            return self.first.clone();
        }
        let day = sheet.entries()[entry].date.unwrap_or(sheet.today);
        beside(&self.memory, &format!("-{:04}", day.year()))
    }

    /// True where one of them holds marked entries.
    pub fn has_marks(&self, vault: &Vault) -> bool {
        let first = beside(&self.memory, "-");
        let notes = vault.notes();
        let start = notes.partition_point(|note| note.path < first);
        let stem = first.as_str().trim_end_matches(".md");
        let years = notes[start..].iter().take_while(|note| note.path.as_str().starts_with(stem));
        let one = vault.note(&self.first);
        years.chain(one).any(|note| is_archive(&note.path) && has_marks(&note.text))
    }
}

/// The archive beside a memory; the name of a note is never one that a path cannot hold.
fn beside(memory: &NotePath, part: &str) -> NotePath {
    let name = format!("{}{ENDING}{part}.md", memory.stem());
    memory.beside(&name).unwrap_or_else(|_| memory.clone())
}

/// True where a link of the memory for which `stays` holds leads to one of its archives.
pub(super) fn is_linked(sheet: &Sheet<'_>, stays: impl Fn(Span) -> bool) -> bool {
    let memory = &sheet.note.path;
    sheet.markdown.links.iter().filter(|link| stays(link.span)).any(|link| {
        let name = link.target.rsplit('/').next().unwrap_or_default();
        let stem = name.strip_suffix(".md").unwrap_or(name);
        let is_own = origin_stem(stem).is_some_and(|stem| stem.eq_ignore_ascii_case(memory.stem()));
        is_own
            && (name == link.target
                || links::folder_of(&link.target, memory).as_deref() == Some(memory.folder()))
    })
}

/// The line that leads to an archive beside the note it stands in.
pub(super) fn pointer(archive: &NotePath) -> String {
    format!("Older entries: {}", link(archive.name()))
}

/// A Markdown link to a file beside, shown by its name.
fn link(name: &str) -> String {
    let mut shown = String::new();
    for c in name.chars() {
        if matches!(c, '[' | ']' | '\\' | '`' | '*' | '<' | '$' | '~') {
            shown.push('\\');
        }
        shown.push(c);
    }
    let is_plain =
        |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '~' | ',' | '+' | '@' | '!');
    let mut target = String::new();
    for c in name.chars() {
        match is_plain(c) {
            true => target.push(c),
            false => {
                c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| target.push_str(&format!("%{byte:02X}")))
            }
        }
    }
    format!("[{shown}]({target})")
}

/// How an archive starts where it is made, and where in it entries go.
pub(super) fn place(sheet: &Sheet<'_>, vault: &Vault, archive: &NotePath, direction: Direction) -> Place {
    let eol = sheet.note.line_end();
    let title = title(&sheet.markdown.blocks).map(|at| sheet.markdown.blocks[at].text.of(sheet.text));
    let title = title.unwrap_or_default().lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let title = if title.is_empty() { sheet.note.path.stem() } else { &title };
    let memory = sheet.note.path.name();
    let head = format!("# {title}: archive{eol}{eol}Moved here from {}.{eol}", link(memory));
    let end = if direction == Direction::NewestFirst { End::Top } else { End::Bottom };
    let says = match vault.note(archive) {
        Some(_) => format!("`{memory}` was over its budget"),
        None => format!("the archive of `{memory}`, which was over its budget"),
    };
    Place { head, end, why: Why::sure(OLDEST, says) }
}

/// A finding where the archive of a memory is too large, once `moves` are made, and does not go on elsewhere.
pub(super) fn too_large(sheet: &Sheet<'_>, vault: &Vault, moves: &[Move]) -> Option<Finding> {
    let (archive, limit) = (&sheet.archives.first, sheet.settings.archive_bytes);
    let n_bytes = size_after(vault, moves, archive);
    if n_bytes <= limit || sheet.settings.split == Split::Year {
        return None;
    }
    let message = format!("the archive has {n_bytes} bytes, more than {limit}");
    let finding = Finding::about(archive, Severity::Warning, "trim/archive", message);
    Some(
        finding
            .hint("Set `trim.split: year` to go on in a file for each year, or raise `trim.archive_bytes`."),
    )
}

/// The bytes of an archive once `moves` are made.
fn size_after(vault: &Vault, moves: &[Move], archive: &NotePath) -> usize {
    let before = vault.note(archive).map_or(0, |note| note.text.len());
    let arriving = moves.iter().filter(|wanted| wanted.to == *archive);
    let pieces = arriving.flat_map(|wanted| crate::place::pieces(vault, wanted.clone()));
    pieces.filter(|piece| piece.path == *archive).map(|piece| piece.after.len()).sum::<usize>() + before
}

/// A line of its own right below the title of a note, or at the start of its body: where it goes, with blank lines around it.
pub(super) fn below_title(
    text: &str,
    body: usize,
    title: Option<Span>,
    line: &str,
    eol: &str,
) -> (usize, String) {
    let at = title.map_or(body, |title| title.end);
    let is_blank_below = line::is_blank(Span::new(at, line::end(text, at)).of(text));
    let above = if title.is_some() || (is_blank_below && body > 0) { eol } else { "" };
    let below = if is_blank_below { "" } else { eol };
    (at, format!("{above}{line}{eol}{below}"))
}

/// The edit by which the first archive leads to those of `archives` that it does not lead to yet.
pub(super) fn onward(sheet: &Sheet<'_>, vault: &Vault, archives: &[NotePath]) -> Option<(NotePath, Edit)> {
    let note = vault.note(&sheet.archives.first).filter(|note| note.access == Access::Open)?;
    let (text, eol) = (&*note.text, note.line_end());
    let body = Frontmatter::body_of(text);
    let markdown = Markdown::parse(text, body);
    let is_new = |archive: &&NotePath| {
        let leads = |target: &str| {
            let name = target.rsplit('/').next().unwrap_or_default();
            name.strip_suffix(".md").unwrap_or(name).eq_ignore_ascii_case(archive.stem())
        };
        **archive != note.path && !markdown.links.iter().any(|link| leads(&link.target))
    };
    let links: Vec<String> = archives.iter().filter(is_new).map(|archive| link(archive.name())).collect();
    if links.is_empty() {
        return None;
    }
    let title = title(&markdown.blocks).map(|at| markdown.blocks[at].span);
    let (at, put) = below_title(text, body, title, &format!("Goes on in: {}", links.join(", ")), eol);
    let why = Why::sure(POINTER, "this archive is full and goes on in a file for each year");
    Some((note.path.clone(), Edit::replace(text, Span::at(at), put, why)))
}
