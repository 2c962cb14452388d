//! What a user of memkeep can set.
