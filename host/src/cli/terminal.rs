//! What is a terminal and what is not: colours, widths, and the two streams.

use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use porthole_core::report::{Line, Role};
use tracing_subscriber::EnvFilter;

/// Columns when nobody says how many there are: what fits in a CI log and a mail.
const WIDTH: usize = 100;

/// Sets colours and logging up, once.
pub(super) fn set_up(color: clap::ColorChoice, verbose: u8) {
    let choice = match color {
        clap::ColorChoice::Auto => anstream::ColorChoice::Auto,
        clap::ColorChoice::Always => anstream::ColorChoice::Always,
        clap::ColorChoice::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
    let level = match verbose {
        0 => "porthole=error",
        1 => "porthole=info",
        2 => "porthole=debug",
        _ => "trace",
    };
    let filter = EnvFilter::try_from_env("PORTHOLE_LOG").unwrap_or_else(|_| EnvFilter::new(level));
    let colours = anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never;
    let subscriber =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_ansi(colours).with_target(false);
    // A second subscriber can only come from an embedder, who has chosen otherwise.
    let _ = subscriber.try_init();
}

/// Writes to standard error. There is nobody to tell when that fails.
pub(super) fn say(text: &str) {
    let _ = anstream::stderr().write_all(text.as_bytes());
}

/// Writes data to standard output.
///
/// A reader that went away (`| head`) has what it wanted; that is not an error.
pub(super) fn put(text: &str) -> io::Result<()> {
    match anstream::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Returns lines with colours for their roles; the streams take them out where they are not wanted.
pub(super) fn styled(lines: &[Line]) -> String {
    let mut text = String::new();
    for line in lines {
        let mut styled_line = String::new();
        for span in line {
            let style = style(span.role);
            styled_line.push_str(&format!("{style}{}{style:#}", span.text));
        }
        text.push_str(styled_line.trim_end());
        text.push('\n');
    }
    text
}

/// Returns how many columns standard output has.
pub(super) fn width() -> usize {
    if !io::stdout().is_terminal() {
        return WIDTH;
    }
    console_width().unwrap_or(WIDTH)
}

fn console_width() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    (size.ws_col > 0).then(|| usize::from(size.ws_col))
}

/// Returns the word that an error line begins with.
pub(super) fn error_word() -> String {
    word("error", AnsiColor::Red)
}

/// Returns the word that a warning line begins with.
pub(super) fn warning_word() -> String {
    word("warning", AnsiColor::Yellow)
}

/// Returns the word that a hint begins with.
pub(super) fn hint_word() -> String {
    word("hint", AnsiColor::Cyan)
}

fn word(word: &str, color: AnsiColor) -> String {
    let style = color.on_default().bold();
    format!("{style}{word}{style:#}")
}

fn style(role: Role) -> Style {
    match role {
        Role::Plain => Style::new(),
        Role::Heading => Style::new().bold(),
        Role::Good => AnsiColor::Green.on_default(),
        Role::Bad => AnsiColor::Red.on_default().bold(),
        Role::Warning => AnsiColor::Yellow.on_default(),
        Role::Muted => Style::new().dimmed(),
    }
}
