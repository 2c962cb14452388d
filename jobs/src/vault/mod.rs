//! The vault model.
pub mod date;
pub mod frontmatter;
pub mod line;
pub mod markdown;
pub mod span;
pub use span::Span;
