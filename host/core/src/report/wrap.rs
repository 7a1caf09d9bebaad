//! Fitting foreign text into columns.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Returns `text` as one line without control characters or marks that change the direction of writing.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        let blank = character.is_control() || character == ' ';
        let hidden = matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if blank {
            if !line.ends_with(' ') {
                line.push(' ');
            }
        } else if !hidden {
            line.push(character);
        }
    }
    line.trim().to_owned()
}

/// Breaks `text` into at most `lines_max` lines of at most `width` columns; the last ends in `…` if
/// something was cut. Breaks at blanks, else after `/`, `-`, `.`, `,` or `:`, else anywhere.
pub(super) fn wrap(text: &str, width: usize, lines_max: usize) -> Vec<String> {
    let width = width.max(2);
    let mut lines = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if rest.width() <= width {
            lines.push(rest.to_owned());
            break;
        }
        if lines.len() + 1 == lines_max {
            let (start, _) = split(rest, width - 1);
            lines.push(format!("{}…", start.trim_end()));
            break;
        }
        let (start, end) = split(rest, width);
        lines.push(start.trim_end().to_owned());
        rest = end.trim_start();
    }
    if lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

/// Splits where a line of `width` columns ends best. The first part is never empty.
fn split(text: &str, width: usize) -> (&str, &str) {
    let mut used = 0;
    let mut hard = 0;
    let mut blank = None;
    let mut mark = None;
    for (at, character) in text.char_indices() {
        used += character.width().unwrap_or(0);
        // A blank just behind the last column is a fine place too.
        if character == ' ' && at > 0 {
            blank = Some(at);
        }
        if used > width && at > 0 {
            break;
        }
        hard = at + character.len_utf8();
        if matches!(character, '/' | '-' | '.' | ',' | ':') {
            mark = Some(hard);
        }
    }
    let soft = blank.filter(|at| *at * 3 > hard).or_else(|| mark.filter(|at| *at * 3 > hard));
    text.split_at(soft.unwrap_or(hard))
}

/// Fills `text` up to `width` columns with blanks on the right.
pub(super) fn pad(text: &str, width: usize) -> String {
    let mut padded = text.to_owned();
    padded.extend(std::iter::repeat_n(' ', width.saturating_sub(text.width())));
    padded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_blanks_then_at_marks_then_anywhere() {
        assert_eq!(wrap("the quick brown fox", 9, 9), ["the quick", "brown fox"]);
        assert_eq!(wrap("kube-system/coredns-5d78c9869d", 14, 9), ["kube-system/", "coredns-", "5d78c9869d"]);
        assert_eq!(wrap("abcdefgh", 3, 9), ["abc", "def", "gh"]);
        assert_eq!(wrap("one two three four", 7, 2), ["one two", "three…"]);
        assert_eq!(wrap("", 7, 2), [""]);
    }

    #[test]
    fn wide_characters_take_two_columns_and_are_never_cut_in_half() {
        assert_eq!(wrap("日本語です", 5, 9), ["日本", "語で", "す"]);
    }

    #[test]
    fn a_text_cannot_drive_the_terminal() {
        assert_eq!(one_line("a\x1b[2Jb\r\n\tc\u{202e}d"), "a [2Jb cd");
    }

    proptest::proptest! {
        #[test]
        fn no_line_is_wider_than_its_column_and_nothing_is_lost(text in "\\PC{0,80}", width in 2_usize..20) {
            let text = one_line(&text);
            let lines = wrap(&text, width, usize::MAX);
            proptest::prop_assert!(lines.iter().all(|line| line.width() <= width), "{:?}", lines);
            let squeeze = |text: &str| text.chars().filter(|character| !character.is_whitespace()).collect::<String>();
            proptest::prop_assert_eq!(squeeze(&lines.concat()), squeeze(&text));
        }
    }
}
