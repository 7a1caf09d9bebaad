//! Turning an entry's path, as somebody else wrote it, into a harmless relative one.

use super::ArchiveError;

/// Returns `raw` with `/` between its parts, without leading `./`, doubled `/` and `.` parts; empty for the
/// root itself. Bytes that are not UTF-8 are replaced.
///
/// A backslash is an ordinary letter (systemd units have them), unless a reader that takes it for a
/// separator would be led outside.
///
/// # Errors
///
/// [`ArchiveError::Traversal`] for absolute paths, `..` parts, drive letters and NUL bytes,
/// [`ArchiveError::PathTooLong`] beyond `limit` bytes.
pub(super) fn normalise(raw: &[u8], limit: usize) -> Result<String, ArchiveError> {
    if raw.len() > limit {
        let start = raw.get(..64.min(raw.len())).unwrap_or_default();
        return Err(ArchiveError::PathTooLong { entry: printable(start), limit });
    }
    let outside = |reason| ArchiveError::Traversal { entry: printable(raw), reason };
    if raw.contains(&0) {
        return Err(outside("it contains a NUL byte"));
    }
    let text = String::from_utf8_lossy(raw);
    if text.starts_with(['/', '\\']) {
        return Err(outside("it is absolute"));
    }
    if text.split(['/', '\\']).any(|part| part == "..") {
        return Err(outside("it contains `..`"));
    }
    let mut letters = text.chars();
    if letters.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && letters.as_str().starts_with(":\\") {
        return Err(outside("it names a drive"));
    }
    let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    Ok(parts.join("/"))
}

fn printable(raw: &[u8]) -> String {
    String::from_utf8_lossy(raw).escape_debug().to_string()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(raw: &str, expected: &Expect) {
        expected.assert_eq(&match normalise(raw.as_bytes(), 40) {
            Ok(name) => name,
            Err(error) => format!("error: {error}"),
        });
    }

    #[test]
    fn harmless_spellings_become_one() {
        check("./a//b/./c.json", &expect!["a/b/c.json"]);
        check("./", &expect![""]);
        check(r"units/dev-disk-by\x2duuid.device", &expect![r"units/dev-disk-by\x2duuid.device"]);
        check("a/..b/c..", &expect!["a/..b/c.."]);
    }

    #[test]
    fn every_way_out_is_refused_by_name() {
        check("/etc/passwd", &expect!["error: entry `/etc/passwd` has a path that leads outside: it is absolute"]);
        check("a/../../b", &expect!["error: entry `a/../../b` has a path that leads outside: it contains `..`"]);
        check(r"a\..\b", &expect![[r"error: entry `a\\..\\b` has a path that leads outside: it contains `..`"]]);
        check(r"C:\b", &expect![[r"error: entry `C:\\b` has a path that leads outside: it names a drive"]]);
        check("a\0b", &expect![[r"error: entry `a\0b` has a path that leads outside: it contains a NUL byte"]]);
        check(
            &"a".repeat(41),
            &expect!["error: entry `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…` has a path longer than 40 bytes"],
        );
    }
}
