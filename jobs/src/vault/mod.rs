//! The vault model.
pub mod date;
pub mod line;
pub mod markdown;
pub mod span;
pub use span::Span;
