//! One pattern in gitignore syntax, matched against a path by whole characters.
//!
//! The matchers at hand work on bytes: there `?` misses `誌` and `[Кк]` misses `К`, which for a private
//! note would be a leak. Braces mean nothing here, as in git. Matching costs at most pattern times path.

/// One line of gitignore syntax, ready to be matched.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub is_negated: bool,
    is_for_folders: bool,
    /// Whether the pattern names a whole path; otherwise it names a file or folder at any depth.
    is_anchored: bool,
    parts: Vec<Part>,
    needs: Letters,
}

#[derive(Clone, Debug)]
enum Part {
    /// `**`: any number of folders.
    Deep,
    Name(Vec<Token>),
}

#[derive(Clone, Debug)]
enum Token {
    Char(char),
    Any,
    Star,
    Class { is_negated: bool, ranges: Vec<(char, char)> },
}

/// What is wrong with a pattern, and what to write instead.
#[derive(Debug)]
pub(crate) struct Flaw {
    pub message: String,
    pub hint: Option<String>,
}

impl Pattern {
    /// Reads `line`, which must already be in NFC.
    pub(crate) fn parse(line: &str) -> Result<Self, Flaw> {
        if line.starts_with('#') {
            return Err(flaw("is a comment in gitignore syntax", format!("write '\\{line}'")));
        }
        if line.ends_with(' ') && !line.ends_with("\\ ") {
            return Err(flaw("ends in a blank", "take the blank away, or write '\\ '".to_owned()));
        }
        let (is_negated, rest) = strip(line, '!');
        let (has_root, rest) = strip(rest, '/');
        let (is_for_folders, rest) = match rest.strip_suffix('/') {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let mut parts = rest.split('/').map(Part::parse).collect::<Result<Vec<_>, _>>()?;
        let is_anchored = has_root || parts.len() > 1;
        if parts.len() > 1 && matches!(parts.last(), Some(Part::Deep)) {
            // `a/**` is what lies inside of `a`, not `a` itself.
            parts.push(Part::Name(vec![Token::Star]));
        }
        let needs = Letters::needed(&parts);
        Ok(Self { is_negated, is_for_folders, is_anchored, parts, needs })
    }

    /// Whether the pattern meets the path with these components; its folders are not asked.
    pub(crate) fn matches(&self, path: &[Component<'_>], kind: Entry) -> bool {
        let Some(last) = path.last() else { return false };
        if self.is_for_folders && kind == Entry::File {
            return false;
        }
        if !self.is_anchored {
            return self.needs.lie_in(last.letters) && self.parts.iter().all(|part| part.meets(last));
        }
        let letters = path.iter().fold(Letters::default(), |all, component| all.and(component.letters));
        self.needs.lie_in(letters) && wild(&self.parts, path, |part| matches!(part, Part::Deep), Part::meets)
    }
}

/// Whether a path names a file or a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    File,
    Folder,
}

/// One name of a path, with what rules most patterns out at once.
pub(crate) struct Component<'p> {
    name: &'p str,
    letters: Letters,
}

impl<'p> Component<'p> {
    pub(crate) fn new(name: &'p str) -> Self {
        Self { name, letters: Letters::of(name.chars()) }
    }
}

/// A set of characters: exact for ASCII, folded into the control characters for all others.
#[derive(Clone, Copy, Debug, Default)]
struct Letters(u128);

impl Letters {
    fn of(chars: impl Iterator<Item = char>) -> Self {
        let place = |c: char| if c.is_ascii() { u32::from(c) } else { u32::from(c) % 32 };
        Self(chars.fold(0, |set, c| set | 1 << place(c)))
    }

    fn needed(parts: &[Part]) -> Self {
        let tokens = parts.iter().flat_map(|part| match part {
            Part::Deep => [].iter(),
            Part::Name(tokens) => tokens.iter(),
        });
        Self::of(tokens.filter_map(|token| match token {
            Token::Char(c) => Some(*c),
            _ => None,
        }))
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn lie_in(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }
}

impl Part {
    fn parse(text: &str) -> Result<Self, Flaw> {
        match text {
            "" => Err(Flaw { message: "has an empty name in it".to_owned(), hint: None }),
            "." | ".." => Err(flaw(
                &format!("holds '{text}', which no path in a vault has"),
                "write the path from the vault's root".to_owned(),
            )),
            "**" => Ok(Self::Deep),
            _ => tokens(text).map(Self::Name),
        }
    }

    fn meets(&self, component: &Component<'_>) -> bool {
        match self {
            Self::Deep => true,
            Self::Name(tokens) => {
                // Worth its allocation only here, where the letters have let few names pass.
                let chars: Vec<char> = component.name.chars().collect();
                wild(tokens, &chars, |token| matches!(token, Token::Star), Token::meets)
            }
        }
    }
}

impl Token {
    fn meets(&self, c: &char) -> bool {
        match self {
            Self::Char(own) => own == c,
            Self::Any | Self::Star => true,
            Self::Class { is_negated, ranges } => {
                ranges.iter().any(|(from, to)| from <= c && c <= to) != *is_negated
            }
        }
    }
}

/// Whether `pattern` spells all of `text`, where a star stands for any number of items.
///
/// Only the last star is ever given more: what stands before it has met the earliest place it can.
fn wild<P, T>(
    pattern: &[P],
    text: &[T],
    is_star: impl Fn(&P) -> bool,
    meets: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star = None;
    while let Some(item) = text.get(t) {
        match pattern.get(p) {
            Some(own) if is_star(own) => {
                star = Some((p + 1, t));
                p += 1;
            }
            Some(own) if meets(own, item) => (p, t) = (p + 1, t + 1),
            _ => {
                let Some((after, taken)) = star else { return false };
                star = Some((after, taken + 1));
                (p, t) = (after, taken + 1);
            }
        }
    }
    pattern.iter().skip(p).all(is_star)
}

fn tokens(text: &str) -> Result<Vec<Token>, Flaw> {
    let mut tokens = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        tokens.push(match c {
            '*' if matches!(tokens.last(), Some(Token::Star)) => continue,
            '*' => Token::Star,
            '?' => Token::Any,
            '[' => class(&mut chars)?,
            '\\' => Token::Char(escaped(&mut chars)?),
            c => Token::Char(c),
        });
    }
    Ok(tokens)
}

fn escaped(chars: &mut std::str::Chars<'_>) -> Result<char, Flaw> {
    chars.next().ok_or_else(|| flaw("ends in a single '\\'", "write '\\\\' for a backslash".to_owned()))
}

/// The rest of a class whose `[` has been read.
fn class(chars: &mut std::str::Chars<'_>) -> Result<Token, Flaw> {
    let unclosed = || flaw("has a '[' without its ']'", "write '\\[' for a bracket".to_owned());
    let is_negated = chars.as_str().starts_with(['!', '^']);
    if is_negated {
        chars.next();
    }
    let mut ranges = Vec::new();
    loop {
        let from = match chars.next().ok_or_else(unclosed)? {
            ']' if !ranges.is_empty() => return Ok(Token::Class { is_negated, ranges }),
            '[' if chars.as_str().starts_with(':') => {
                let message = "has a named class, which is not supported";
                return Err(flaw(message, "write the characters out, as in [a-z]".to_owned()));
            }
            '\\' => escaped(chars)?,
            c => c,
        };
        let to = range_end(chars)?.unwrap_or(from);
        if to < from {
            return Err(Flaw { message: format!("has the empty range '{from}-{to}'"), hint: None });
        }
        ranges.push((from, to));
    }
}

/// The end of a range, if a `-` follows that is not the last character of its class.
fn range_end(chars: &mut std::str::Chars<'_>) -> Result<Option<char>, Flaw> {
    let rest = chars.as_str();
    if !rest.starts_with('-') || rest.starts_with("-]") || rest == "-" {
        return Ok(None);
    }
    chars.next();
    match chars.next() {
        Some('\\') => escaped(chars).map(Some),
        end => Ok(end),
    }
}

fn strip(text: &str, mark: char) -> (bool, &str) {
    text.strip_prefix(mark).map_or((false, text), |rest| (true, rest))
}

fn flaw(message: &str, hint: String) -> Flaw {
    Flaw { message: message.to_owned(), hint: Some(hint) }
}
