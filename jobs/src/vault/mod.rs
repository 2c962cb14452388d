//! The vault model.
pub mod span;
pub use span::Span;
