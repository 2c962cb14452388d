//! Arguments to a command to an exit code.
fn main() {}
