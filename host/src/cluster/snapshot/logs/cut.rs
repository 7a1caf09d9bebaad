//! Cutting a log to what was asked for, as `kubectl logs` would.

use std::io;

use jiff::Timestamp;

use super::Log;
use crate::cluster::LogQuery;

/// How many bytes are looked at in one step.
const STEP_BYTES: usize = 64 << 10;

/// Longest start of a line that can be a time, in bytes.
const TIME_BYTES: usize = 40;

/// Why a log cannot be cut as asked.
#[derive(Debug, thiserror::Error)]
pub(in crate::cluster::snapshot) enum CutError {
    /// Its lines do not say when they were written.
    #[error("the log was recorded without timestamps, so it can be shown neither with them nor since a time")]
    NoTimes,
    /// The temporary file failed.
    #[error("reading the log failed: {0}")]
    Read(#[from] io::Error),
}

/// Narrows `log` to the part that the query wants. Seconds count back from the log's last line, because a
/// snapshot stands still at the time it was taken.
pub(in crate::cluster::snapshot) fn cut(mut log: Log, query: &LogQuery) -> Result<Log, CutError> {
    if query.timestamps && log.length() > 0 && time_at(&log, 0)?.is_none() {
        return Err(CutError::NoTimes);
    }
    if let Some(seconds) = query.since_seconds {
        since(&mut log, seconds)?;
    }
    if let Some(lines) = query.tail_lines {
        tail(&mut log, lines)?;
    }
    if let Some(bytes) = query.limit_bytes {
        log.end = log.end.min(log.start.saturating_add(bytes));
    }
    Ok(log)
}

/// Returns the time at the beginning of the line at `offset`.
fn time_at(log: &Log, offset: u64) -> io::Result<Option<Timestamp>> {
    let start = log.read(offset, TIME_BYTES)?;
    let word = start.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    Ok(std::str::from_utf8(word).ok().and_then(|word| word.parse().ok()))
}

fn tail(log: &mut Log, lines: u64) -> io::Result<()> {
    if lines == 0 {
        log.start = log.end;
        return Ok(());
    }
    let mut ends = 0;
    let mut position = log.length();
    while position > 0 {
        let step = STEP_BYTES.min(usize::try_from(position).unwrap_or(STEP_BYTES));
        position -= step as u64;
        for (index, byte) in log.read(position, step)?.iter().enumerate().rev() {
            let after = position + index as u64 + 1;
            // The line break at the very end closes the last line and begins none.
            if *byte == b'\n' && after < log.length() {
                ends += 1;
                if ends == lines {
                    log.start += after;
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

fn since(log: &mut Log, seconds: u64) -> Result<(), CutError> {
    if log.length() == 0 {
        return Ok(());
    }
    let mut last = Log { file: log.file.try_clone()?, start: log.start, end: log.end };
    tail(&mut last, 1)?;
    let newest = time_at(&last, 0)?.ok_or(CutError::NoTimes)?;
    let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
    let oldest = newest.as_second().saturating_sub(seconds);
    let mut offset = 0;
    while offset < log.length() {
        if time_at(log, offset)?.is_some_and(|time| time.as_second() >= oldest) {
            log.start += offset;
            return Ok(());
        }
        offset = next_line(log, offset)?;
    }
    Ok(())
}

fn next_line(log: &Log, mut offset: u64) -> io::Result<u64> {
    loop {
        let bytes = log.read(offset, STEP_BYTES)?;
        if let Some(index) = bytes.iter().position(|byte| *byte == b'\n') {
            return Ok(offset + index as u64 + 1);
        }
        if bytes.is_empty() {
            return Ok(log.length());
        }
        offset += bytes.len() as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Instance, LogKey, Logs};
    use super::*;

    fn check(text: &str, query: &LogQuery) -> String {
        let word = || "a".to_owned();
        let key = LogKey { namespace: word(), pod: word(), container: word(), instance: Instance::Current };
        let mut logs = Logs::default();
        logs.add(key, &mut text.as_bytes()).expect("writes a temporary file");
        let log = logs.open("a", "a", None, Instance::Current).expect("was added above");
        match cut(log, query) {
            Ok(log) => String::from_utf8(log.read(0, 1 << 20).expect("reads it back")).expect("text"),
            Err(error) => format!("error: {error}"),
        }
    }

    #[test]
    fn tail_counts_whole_lines() {
        let tail = |lines| LogQuery { tail_lines: Some(lines), ..LogQuery::default() };
        assert_eq!(check("1\n2\n3\n", &tail(2)), "2\n3\n");
        assert_eq!(check("1\n2\n3", &tail(2)), "2\n3");
        assert_eq!(check("1\n2\n3\n", &tail(9)), "1\n2\n3\n");
        assert_eq!(check("1\n2\n", &tail(0)), "");
        assert_eq!(check("", &tail(1)), "");
        let long = format!("{}\nlast\n", "x".repeat(200_000));
        assert_eq!(check(&long, &tail(1)), "last\n");
    }

    #[test]
    fn bytes_are_counted_from_the_start_of_what_is_left() {
        assert_eq!(
            check("1\n2\n3\n", &LogQuery { tail_lines: Some(2), limit_bytes: Some(3), ..LogQuery::default() }),
            "2\n3"
        );
    }

    #[test]
    fn times_need_timestamps() {
        let text = "2024-01-01T00:00:00.5Z a\n2024-01-01T00:00:50Z b\n2024-01-01T00:01:00Z c\n";
        let since = LogQuery { since_seconds: Some(10), ..LogQuery::default() };
        assert_eq!(check(text, &since), "2024-01-01T00:00:50Z b\n2024-01-01T00:01:00Z c\n");
        let refused =
            "error: the log was recorded without timestamps, so it can be shown neither with them nor since a time";
        assert_eq!(check("a\n", &since), refused);
        assert_eq!(check("a\n", &LogQuery { timestamps: true, ..LogQuery::default() }), refused);
        assert_eq!(check(text, &LogQuery { timestamps: true, ..LogQuery::default() }), text);
    }
}
