//! Names: which words may be a link to which note. A note is called by the stem of its file and by what
//! its frontmatter says under `name`, `title`, `alias` and `aliases`, in any case of letters. Reading is
//! lenient, so that a repair of the frontmatter changes no name: nothing here cares whether aliases
//! are a list or a text with commas, and a block that is no YAML still gives what its lines say.
//!
//! Nothing here knows whether two notes share a name.

mod fold;
mod read;
mod resolve;
pub mod token;

use super::{Note, frontmatter::Frontmatter};
pub use fold::{GAP, LINE, View, fold};
pub use resolve::Resolver;
use std::collections::HashSet;
use unicode_normalization::UnicodeNormalization;

/// One name of a note.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// The words: NFC, without blanks at either end, each run of blanks one space; never empty.
    pub text: String,
    /// Where it is written.
    pub source: Source,
}

/// Where a name is written, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The file name without `.md`.
    Stem,
    /// `name:`.
    Name,
    /// `title:`.
    Title,
    /// `aliases:` or `alias:`.
    Alias,
}

/// The names of a note, strongest source first, each spelling once, under the first source that has it.
pub fn names_of(note: &Note) -> Vec<Name> {
    names_in(note, Frontmatter::find(&note.text).as_ref())
}

/// The same, where the frontmatter was read already.
pub fn names_in(note: &Note, frontmatter: Option<&Frontmatter>) -> Vec<Name> {
    let stem = (note.path.stem().to_owned(), Source::Stem);
    let mut written = read::written(&note.text, frontmatter);
    written.sort_by_key(|(_, source)| *source);
    let mut seen = HashSet::new();
    let names = std::iter::once(stem).chain(written);
    names
        .map(|(raw, source)| Name { text: tidy(&raw), source })
        .filter(|name| !name.text.is_empty() && seen.insert(name.text.clone()))
        .collect()
}

/// A text as names are compared by spelling: NFC, blanks as one space.
fn tidy(raw: &str) -> String {
    let words: Vec<&str> = raw.split_whitespace().collect();
    words.join(" ").nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vault::NotePath;

    fn names(path: &str, text: &str) -> Vec<(String, Source)> {
        let note = Note::of_text(NotePath::new(path).unwrap(), text);
        names_of(&note).into_iter().map(|name| (name.text, name.source)).collect()
    }

    fn aliases(frontmatter: &str) -> Vec<String> {
        let found = names("n.md", &format!("---\n{frontmatter}\n---\n"));
        found.into_iter().filter(|(_, source)| *source == Source::Alias).map(|(text, _)| text).collect()
    }

    #[test]
    fn a_note_is_called_by_its_stem_name_title_and_aliases_in_this_order() {
        let text = "---\naliases: [Sprint, Iteration]\ntitle: Sprint Planning\nname: plan\n---\nBody\n";
        let found = names("a/sprint-planning.md", text);
        let expected = [
            ("sprint-planning", Source::Stem),
            ("plan", Source::Name),
            ("Sprint Planning", Source::Title),
            ("Sprint", Source::Alias),
            ("Iteration", Source::Alias),
        ];
        assert_eq!(found, expected.map(|(text, source)| (text.to_owned(), source)));
    }

    #[test]
    fn every_shape_of_aliases_gives_the_same_names() {
        let shapes = [
            "aliases: [One, Two words]",
            "aliases:\n  - One\n  - 'Two words'",
            "aliases: One, Two words",
            "alias: One, Two words",
            "Aliases: One\nalias: Two  words",
            "ALIASES:\n- One\n- Two words\n- \n- null",
            "aliases: |\n  One\n  Two words",
            "aliases: One,Two words, One",
        ];
        for shape in shapes {
            assert_eq!(aliases(shape), ["One", "Two words"], "{shape}");
        }
    }

    #[test]
    fn a_comma_between_digits_parts_nothing() {
        assert_eq!(aliases("aliases: 10,000 Hours, Practice"), ["10,000 Hours", "Practice"]);
        assert_eq!(aliases("aliases: 1,5,Five"), ["1,5", "Five"]);
    }

    #[test]
    fn a_comma_in_quotes_parts_nothing() {
        assert_eq!(aliases("aliases: \"Doe, John\""), ["Doe, John"]);
        assert_eq!(aliases("aliases: ['Doe, John', J. Doe]"), ["Doe, John", "J. Doe"]);
    }

    #[test]
    fn a_field_that_says_what_the_stem_says_adds_no_name() {
        assert_eq!(names("n.md", "---\nname: n\ntitle: n\n---\n"), [("n".to_owned(), Source::Stem)]);
        assert_eq!(names("n.md", "---\nname:\ntitle: ~\naliases: []\n---\n").len(), 1);
    }

    #[test]
    fn a_decomposed_stem_is_composed() {
        assert_eq!(names("e\u{301}.md", "")[0].0, "\u{e9}");
    }

    #[test]
    fn a_block_that_is_no_yaml_still_names_its_note() {
        let text =
            "---\ndate: {{date}}\ntitle   : One\naliases:\n  - Two\n  - Three\nbad: a: b\nname: [x\n---\n";
        let found: Vec<_> = names("n.md", text).into_iter().map(|(text, _)| text).collect();
        assert_eq!(found, ["n", "One", "Two", "Three"]);
    }

    #[test]
    fn what_is_nested_or_no_frontmatter_names_nothing() {
        assert_eq!(names("n.md", "---\nmeta:\n  title: x\naliases:\n  - [a, b]\n---\n").len(), 1);
        assert_eq!(names("n.md", "text\n---\ntitle: x\n---\n").len(), 1);
    }
}
