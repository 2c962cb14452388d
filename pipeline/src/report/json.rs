//! A report as JSON: the exact value, nothing escaped beyond what JSON asks for, field by field as
//! `docs/report.md` has it. What other programs read; its shape is a promise, counted by `version`.

use super::{Report, VERSION};

/// Pretty JSON with a final line end.
pub fn render(report: &Report) -> String {
    // Every key of a report is text and every number finite, so that this cannot fail.
    let json = serde_json::to_string_pretty(report).unwrap_or_default();
    json + "\n"
}

/// The report in `text`; an error says why it is none that this program reads.
pub fn parse(text: &str) -> Result<Report, String> {
    let report: Report = serde_json::from_str(text).map_err(|error| error.to_string())?;
    match report.version {
        VERSION => Ok(report),
        version => Err(format!("it has version {version}, and this memkeep reads version {VERSION}")),
    }
}
