//! The vault model.
pub mod line;
pub mod markdown;
pub mod span;
pub use span::Span;
