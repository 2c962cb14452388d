//! Where a report goes beside the terminal. A file is written whole or not at all; what could be a note
//! of the vault is never written to, and is refused before the run begins.

use super::Telling;
use crate::{
    exit::{Exit, Failure},
    load::is_note_name,
    report::{
        Report, json, markdown,
        notes::Texts,
        paint::Paint,
        text::{self, Shape},
    },
};
use jobs::vault::path::CLOSED_FOLDERS;
use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    str::FromStr,
};

/// One `--report`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sink {
    form: Form,
    /// None: standard output, in place of the text.
    path: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Text,
    Markdown,
    Json,
}

impl FromStr for Sink {
    type Err = String;

    /// `json`, `markdown=report.md`
    fn from_str(text: &str) -> Result<Self, String> {
        let (form, path) = match text.split_once('=') {
            Some((_, "")) => return Err("the path after `=` is empty".to_owned()),
            Some((form, path)) => (form, Some(PathBuf::from(path))),
            None => (text, None),
        };
        let form = match form {
            "text" => Form::Text,
            "markdown" | "md" => Form::Markdown,
            "json" => Form::Json,
            _ => return Err("a report is text, markdown or json".to_owned()),
        };
        Ok(Sink { form, path })
    }
}

impl Telling {
    /// How much the text tells.
    pub fn shape(&self) -> Shape {
        match (self.quiet, self.stat) {
            (true, _) => Shape::Quiet,
            (false, true) => Shape::Stat,
            (false, false) => Shape::Full,
        }
    }

    /// An error where a report would be written over, or as, a note of `vault`, or cannot be written.
    pub fn check(&self, vault: &Path) -> Result<(), Failure> {
        self.report.iter().filter_map(|sink| sink.path.as_deref()).try_for_each(|path| check(path, vault))
    }

    /// Writes what goes to files and gives what goes to standard output.
    pub fn tell(&self, told: &Told<'_>) -> Result<String, Failure> {
        let mut out = String::new();
        for sink in &self.report {
            match &sink.path {
                None => out += &told.render(sink.form, told.paint),
                Some(path) => write(path, &told.render(sink.form, Paint::Plain))?,
            }
        }
        if self.report.iter().all(|sink| sink.path.is_some()) {
            out = told.render(Form::Text, told.paint);
        }
        Ok(out)
    }
}

/// A report with all that it is told by.
pub struct Told<'a> {
    /// The report.
    pub report: &'a Report,
    /// The notes as they were before.
    pub texts: &'a Texts<'a>,
    /// How much the text tells.
    pub shape: Shape,
    /// For standard output; files get no colour.
    pub paint: Paint,
}

impl Told<'_> {
    fn render(&self, form: Form, paint: Paint) -> String {
        match form {
            Form::Text => text::render(self.report, self.texts, self.shape, paint),
            Form::Markdown => markdown::render(self.report, self.texts),
            Form::Json => json::render(self.report),
        }
    }
}

fn check(path: &Path, vault: &Path) -> Result<(), Failure> {
    let cannot = |why: &str| Failure::usage(format!("cannot write the report to {}: {why}", path.display()));
    let place = place(path).map_err(|error| cannot(&error.to_string()))?;
    let Ok(inside) = place.strip_prefix(vault) else { return Ok(()) };
    let is_closed =
        |part: &std::ffi::OsStr| CLOSED_FOLDERS.iter().any(|closed| part.eq_ignore_ascii_case(closed));
    let name = inside.to_string_lossy();
    if inside.iter().any(is_closed) {
        return Err(
            cannot("it lies in a folder that is closed to memkeep").hint("Write it outside the vault.")
        );
    }
    if is_note_name(&name) || !is_report_name(&name) {
        let failure = cannot("inside the vault it could be taken for a note or a setting");
        return Err(failure.hint("Write it outside the vault, or as .json, .txt or .log."));
    }
    Ok(())
}

fn is_report_name(name: &str) -> bool {
    let end = name.rsplit_once('.').map(|(_, end)| end.to_lowercase());
    matches!(end.as_deref(), Some("json" | "txt" | "log"))
}

/// Where the bytes will lie: links are followed, so that none leads into the vault unseen.
fn place(path: &Path) -> io::Result<PathBuf> {
    match path.canonicalize() {
        Ok(place) if place.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        Ok(place) => Ok(place),
        Err(_) if path.is_symlink() => Err(io::Error::other("it is a link that leads nowhere")),
        Err(_) => {
            let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            Ok(folder.unwrap_or(Path::new(".")).canonicalize()?.join(name))
        }
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let failure = |error: io::Error| Failure {
        exit: Exit::NeedsAPerson,
        message: format!("cannot write the report to {}: {error}", path.display()),
        hint: Some("The run itself is done; `memkeep runs` and `memkeep show` tell it again.".to_owned()),
    };
    let place = place(path).map_err(failure)?;
    if place.exists() && !place.is_file() {
        // A pipe or device is written to: it cannot be replaced.
        return fs::write(&place, text).map_err(failure);
    }
    replace(&place, text).map_err(failure)
}

/// A file beside it takes the name once it is whole.
fn replace(place: &Path, text: &str) -> io::Result<()> {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let draft = place.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let mut file = fs::File::create_new(&draft)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| fs::rename(&draft, place));
    if written.is_err() {
        // Nothing more can be done about a draft that cannot be removed.
        let _ = fs::remove_file(&draft);
    }
    written
}
