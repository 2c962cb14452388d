//! Arguments to a command to an exit code. The only place that prints, exits, or knows whether there is
//! a terminal. A closed pipe is quiet; a panic is one line and its own exit code.

use clap::{Parser, error::ErrorKind};
use pipeline::{
    cli::{Cli, Colour, Command, Format, Output, act::act},
    exit::{Exit, Failure},
    report::{paint::Paint, shown::shown},
};
use std::{
    env,
    io::{self, IsTerminal, Write},
    panic::{self, AssertUnwindSafe},
    process::ExitCode,
    sync::{Arc, atomic::AtomicBool},
};
use tracing_subscriber::{EnvFilter, filter::LevelFilter};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error).into(),
    };
    if let Err(failure) = prepare(&cli) {
        return complain(&failure).into();
    }
    let paint = paint(cli.everywhere.color);
    match panic::catch_unwind(AssertUnwindSafe(|| act(&cli, paint))) {
        Ok(Ok(output)) => say(&output).into(),
        Ok(Err(failure)) => complain(&failure).into(),
        Err(cause) => complain(&defect(&cli, &jobs::job::panic_text(&*cause))).into(),
    }
}

/// Help and version are no errors; what clap says of the others has its own hints.
fn usage(error: &clap::Error) -> Exit {
    // Nobody is left to hear of a terminal that is gone.
    let _ = error.print();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Done,
        _ => Exit::Usage,
    }
}

fn prepare(cli: &Cli) -> Result<(), Failure> {
    diagnostics(cli.everywhere.log_format)?;
    panic::set_hook(Box::new(|info| tracing::info!("{info}")));
    // The handler does no more than to end the process, which a commit survives at any moment.
    let always = Arc::new(AtomicBool::new(true));
    signal_hook::flag::register_conditional_shutdown(
        signal_hook::consts::SIGINT,
        Exit::Interrupted as i32,
        always,
    )
    .map(|_| ())
    .map_err(|error| Failure {
        exit: Exit::Internal,
        message: format!("cannot listen for interrupts: {error}"),
        hint: None,
    })
}

fn diagnostics(format: Format) -> Result<(), Failure> {
    let wanted = env::var("MEMKEEP_LOG").unwrap_or_default();
    let filter = EnvFilter::builder()
        .with_default_directive(LevelFilter::WARN.into())
        .parse(&wanted)
        .map_err(|error| Failure::usage(format!("cannot use MEMKEEP_LOG: {error}")))?;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal() && wants_colour());
    match format {
        Format::Text => log.init(),
        Format::Json => log.json().init(),
    }
    Ok(())
}

fn paint(colour: Colour) -> Paint {
    match colour {
        Colour::Always => Paint::Colour,
        Colour::Auto if io::stdout().is_terminal() && wants_colour() => Paint::Colour,
        Colour::Auto | Colour::Never => Paint::Plain,
    }
}

/// NO_COLOR counts when it is not empty (no-color.org).
fn wants_colour() -> bool {
    let is_refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !is_refused && env::var_os("TERM").is_none_or(|term| term != "dumb")
}

fn say(output: &Output) -> Exit {
    let mut out = io::stdout().lock();
    match out.write_all(output.text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => output.exit,
        // Whoever reads has read enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => output.exit,
        Err(error) => complain(&Failure {
            exit: Exit::NeedsAPerson,
            message: format!("cannot write the report: {error}"),
            hint: Some("What was to be done is done; `memkeep runs` and `memkeep show` tell it.".to_owned()),
        }),
    }
}

fn complain(failure: &Failure) -> Exit {
    let mut text = String::from("memkeep: ");
    text += &failure.message.lines().map(shown).collect::<Vec<_>>().join("\n");
    text.push('\n');
    if let Some(hint) = &failure.hint {
        text += &format!("  {}\n", shown(hint));
    }
    // Where standard error is gone the exit code has to say it.
    let _ = io::stderr().lock().write_all(text.as_bytes());
    failure.exit
}

/// What was written before the panic is whole or not there at all; only a command that writes can say
/// no more than that.
fn defect(cli: &Cli, cause: &str) -> Failure {
    let writes = match &cli.command {
        Command::Run(run) => run.apply,
        Command::Undo(undo) => !undo.preview,
        _ => false,
    };
    let state = match writes {
        true => "run `memkeep check`: the next run that writes finishes or discards what was begun",
        false => "the vault is as before",
    };
    let message = format!("internal error: {cause}; {state}");
    Failure {
        exit: Exit::Internal,
        message,
        hint: Some("This is a defect of memkeep. Please report it.".to_owned()),
    }
}
