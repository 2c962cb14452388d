//! The world with files in it.
