//! Colours of a terminal, or none. Whether there are any is decided by the caller; nothing here looks
//! at a terminal or an environment.

/// Whether text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// For pipes, files and whoever asked for no colour.
    Plain,
    /// For a terminal.
    Colour,
}

/// What a piece of text is, for whoever gives it a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// A name or heading.
    Heading,
    /// A line that goes.
    Gone,
    /// A line that comes.
    Put,
    /// The place of a hunk.
    Place,
    /// A reason, or what else may be passed over.
    Faint,
    /// A warning.
    Warning,
    /// An error.
    Error,
}

impl Tone {
    /// The SGR parameters (ECMA-48).
    fn code(self) -> &'static str {
        match self {
            Tone::Heading => "1",
            Tone::Gone => "31",
            Tone::Put => "32",
            Tone::Place => "36",
            Tone::Faint => "2",
            Tone::Warning => "33",
            Tone::Error => "1;31",
        }
    }
}

impl Paint {
    /// `text` in the colour of `tone`. The text must have been through [`super::shown::shown`].
    pub fn dress(self, tone: Tone, text: &str) -> String {
        match self {
            Paint::Plain => text.to_owned(),
            Paint::Colour if text.is_empty() => String::new(),
            Paint::Colour => format!("\u{1b}[{}m{text}\u{1b}[0m", tone.code()),
        }
    }
}
