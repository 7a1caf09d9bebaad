//! Counting the lines of a log that speak of errors or warnings, as it streams by.

/// The longest word that is looked for, less one: what must be remembered of a line between two pieces.
const OVERLAP_BYTES: usize = 5;

/// Counts lines, piece by piece. Memory is constant; a line may be of any length.
///
/// A line speaks of an error when it holds `failed`, `Failed`, `error` or `Error`, or begins with `E` and
/// a digit; of a warning when it holds `warn` or `Warn`, or begins with `W` and a digit. These are
/// Sonobuoy's patterns.
#[derive(Debug, Clone, Default)]
pub struct LogScan {
    errors: u64,
    warnings: u64,
    start: Vec<u8>,
    overlap: Vec<u8>,
    is_error: bool,
    is_warning: bool,
}

impl LogScan {
    /// Takes the next piece, which may end anywhere.
    pub fn feed(&mut self, piece: &[u8]) {
        let mut parts = piece.split(|byte| *byte == b'\n');
        if let Some(first) = parts.next() {
            self.extend(first);
        }
        for part in parts {
            self.end_line();
            self.extend(part);
        }
    }

    /// Returns the number of lines with errors and with warnings.
    #[must_use]
    pub fn finish(mut self) -> (u64, u64) {
        self.end_line();
        (self.errors, self.warnings)
    }

    fn extend(&mut self, part: &[u8]) {
        let missing = 2_usize.saturating_sub(self.start.len()).min(part.len());
        self.start.extend_from_slice(&part[..missing]);
        let border = part.len().min(OVERLAP_BYTES);
        self.overlap.extend_from_slice(&part[..border]);
        for text in [self.overlap.as_slice(), part] {
            self.is_error |= holds(text, b"ailed", b"fF") || holds(text, b"rror", b"eE");
            self.is_warning |= holds(text, b"arn", b"wW");
        }
        if border < part.len() {
            self.overlap.clear();
            self.overlap.extend_from_slice(&part[part.len() - OVERLAP_BYTES..]);
        } else {
            let excess = self.overlap.len().saturating_sub(OVERLAP_BYTES);
            self.overlap.drain(..excess);
        }
    }

    fn end_line(&mut self) {
        let begins = |letter: u8| matches!(*self.start, [first, digit] if first == letter && digit.is_ascii_digit());
        self.errors += u64::from(self.is_error || begins(b'E'));
        self.warnings += u64::from(self.is_warning || begins(b'W'));
        self.start.clear();
        self.overlap.clear();
        self.is_error = false;
        self.is_warning = false;
    }
}

/// Returns whether one of the letters `first`, followed by `rest`, stands in `text`.
fn holds(text: &[u8], rest: &[u8], first: &[u8]) -> bool {
    text.windows(rest.len() + 1).any(|window| first.contains(&window[0]) && &window[1..] == rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(log: &[u8], piece_bytes: usize) -> (u64, u64) {
        let mut scan = LogScan::default();
        for piece in log.chunks(piece_bytes) {
            scan.feed(piece);
        }
        scan.finish()
    }

    #[test]
    fn lines_are_counted_once_wherever_the_pieces_end() {
        let log = b"E0101 x\nI0101 Failed with error\nwarn: level=error\nERROR FAILED\nWx\nW1\nxE1\n\nfail ed\nWarn";
        for piece_bytes in 1..=log.len() {
            assert_eq!(counts(log, piece_bytes), (3, 3), "pieces of {piece_bytes}");
        }
    }

    #[test]
    fn a_line_longer_than_any_buffer_does_not_end_the_scan() {
        let mut log = vec![b'x'; 200_000];
        log.extend_from_slice(b"error\nerror\n");
        assert_eq!(counts(&log, 4096), (2, 0));
    }
}
