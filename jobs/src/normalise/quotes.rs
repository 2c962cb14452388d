//! Texts that YAML reads otherwise than their writer: what stands behind ` #` is a comment to it, and a
//! text such as `no` or `2026-01-01` is none. Only fields of free text, and none that gives a name.

use super::{
    missing,
    sheet::{Seat, Sheet, Wish},
};
use crate::{
    change::Why,
    finding::Severity,
    vault::{
        Span,
        frontmatter::{Operation, ScalarStyle, Value, is_typed},
        line,
    },
};

pub(super) const QUOTE: &str = "normalise/quote";

/// What the rules want of a free text.
pub(super) fn wish(sheet: &Sheet<'_>, seat: &Seat<'_>) -> Wish {
    // Links may lead to a note that is called `null`: told, never replaced.
    let is_name =
        seat.field.is_naming() && matches!(&seat.key.value, Value::Text(text, _) if !text.is_empty());
    match &seat.key.value {
        value if value.is_nothing() && !is_name => missing::at_key(sheet, seat),
        _ if !sheet.kinds.is_on(QUOTE) => Wish::default(),
        Value::Text(text, ScalarStyle::Plain) => of_plain(sheet, seat, text),
        Value::Text(..) => Wish::default(),
        _ => of_no_text(sheet, seat),
    }
}

fn of_plain(sheet: &Sheet<'_>, seat: &Seat<'_>, text: &str) -> Wish {
    let name = &seat.field.set.name;
    let sentence = match hidden(sheet, seat) {
        Some(hidden) => format!("YAML takes `{hidden}` as a comment, so `{name}` ends at `{text}`"),
        None if seat.field.set.required && is_typed(text) => {
            format!("YAML takes `{text}` as something else than a text")
        }
        None => return Wish::default(),
    };
    if !seat.field.is_naming() {
        return Wish::of(Operation::Quote { key: seat.at }, Why::likely(QUOTE, sentence));
    }
    // Quotes would give the note another name.
    let finding = sheet.finding(seat.key, Severity::Note, QUOTE, sentence);
    Wish::tell(finding.hint("Put quotes around the text if it is one."))
}

/// A required text that starts with a bracket, most likely.
fn of_no_text(sheet: &Sheet<'_>, seat: &Seat<'_>) -> Wish {
    if !seat.field.set.required {
        return Wish::default();
    }
    let message = format!("`{}` is a list or a map to YAML, no text", seat.field.set.name);
    let finding = sheet.finding(seat.key, Severity::Warning, QUOTE, message);
    Wish::tell(finding.hint("Put quotes around the text."))
}

/// What stands behind a text of one line as a comment that was hardly meant as one: `#41`, not `# since May`.
fn hidden<'a>(sheet: &Sheet<'a>, seat: &Seat<'_>) -> Option<&'a str> {
    let value = seat.key.value_span;
    let rest = Span::new(value.end, line_end(sheet, seat)).of(sheet.text());
    let comment = rest.trim();
    let is_one_line = !value.of(sheet.text()).contains(['\n', '\r']);
    let sign = comment.strip_prefix('#')?.chars().next();
    (is_one_line && sign.is_some_and(|c| !c.is_whitespace() && c != '#')).then_some(comment)
}

fn line_end(sheet: &Sheet<'_>, seat: &Seat<'_>) -> usize {
    let end = seat.key.value_span.end;
    end + line::content(Span::new(end, line::end(sheet.text(), end)).of(sheet.text())).len()
}
