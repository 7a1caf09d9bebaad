//! `JUnit` XML, as the many writers of it write it.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, escape};

use crate::results::item::META_ERROR;
use crate::results::{Details, Item, Mode, Status};

use super::{base_name, file_item};

/// How deep suites may lie in one another. They are read recursively: without a bound a hostile file
/// would overflow the host's stack.
const SUITE_DEPTH_MAX: usize = 32;

/// Reads a file as suites of cases.
pub(super) fn read(path: &str, content: &[u8], mode: Mode) -> Item {
    let mut suites = Vec::new();
    let outcome = match std::str::from_utf8(content) {
        Ok(text) => {
            Parser { reader: Reader::from_str(text.trim_start_matches('\u{feff}')), mode }.document(&mut suites)
        }
        Err(error) => Err(format!("not UTF-8: {error}")),
    };
    let mut file = file_item(path, Status::Passed);
    if let Err(reason) = outcome {
        if mode == Mode::Strict && !suites.is_empty() {
            suites.push(Item::new(base_name(path), Status::Unknown).with_meta(META_ERROR, reason.clone()));
            file.items = suites;
        }
        file.status = Status::Unknown;
        return file.with_meta(META_ERROR, reason);
    }
    if suites.is_empty() && mode == Mode::Strict {
        file.status = Status::Unknown;
    }
    file.items = suites;
    file
}

struct Parser<'a> {
    reader: Reader<&'a [u8]>,
    mode: Mode,
}

/// What stands between the tags of an element, one piece at a time.
enum Piece<'a> {
    Open(BytesStart<'a>),
    /// An element that is opened and closed at once.
    Empty(BytesStart<'a>),
    Text(String),
    Close,
}

type Outcome<T> = Result<T, String>;

impl<'a> Parser<'a> {
    /// Returns the next piece; comments, instructions and document types are passed over.
    fn next(&mut self) -> Outcome<Piece<'a>> {
        loop {
            let event = self
                .reader
                .read_event()
                .map_err(|error| format!("{error} (at byte {})", self.reader.error_position()))?;
            return Ok(match event {
                Event::Start(start) => Piece::Open(start),
                Event::Empty(start) => Piece::Empty(start),
                Event::End(_) => Piece::Close,
                Event::Text(text) => Piece::Text(text.xml10_content().into_owned()),
                Event::CData(text) => Piece::Text(text.xml10_content().into_owned()),
                Event::GeneralRef(reference) => Piece::Text(match reference.resolve_char_ref() {
                    Ok(Some(character)) => character.to_string(),
                    Ok(None) => escape::resolve_xml_entity(&reference)
                        .ok_or_else(|| format!("unknown entity `&{};`", &*reference))?
                        .to_owned(),
                    Err(error) => return Err(error.to_string()),
                }),
                Event::Decl(declaration) => match declaration.encoding() {
                    Some(Ok(name)) if !name.eq_ignore_ascii_case("utf-8") => {
                        return Err(format!("encoding `{name}` is not supported (supported: UTF-8)"));
                    }
                    _ => continue,
                },
                Event::Comment(_) | Event::PI(_) | Event::DocType(_) => continue,
                Event::Eof => return Err("the file ends before its root element does".to_owned()),
            });
        }
    }

    fn document(&mut self, suites: &mut Vec<Item>) -> Outcome<()> {
        loop {
            match self.next()? {
                Piece::Open(root) => match root.local_name().as_ref() {
                    "testsuites" => return self.suites(suites),
                    "testsuite" => return self.suite(&root, suites, 1),
                    _ => return Err(wrong_root(&root)),
                },
                Piece::Empty(root) => match root.local_name().as_ref() {
                    "testsuites" => return Ok(()),
                    "testsuite" => {
                        let suite = self.new_suite(&root, suites.len())?;
                        suites.push(suite);
                        return Ok(());
                    }
                    _ => return Err(wrong_root(&root)),
                },
                Piece::Text(_) | Piece::Close => {}
            }
        }
    }

    fn suites(&mut self, suites: &mut Vec<Item>) -> Outcome<()> {
        loop {
            match self.next()? {
                Piece::Open(start) if start.local_name().as_ref() == "testsuite" => self.suite(&start, suites, 1)?,
                Piece::Empty(start) if start.local_name().as_ref() == "testsuite" => {
                    let suite = self.new_suite(&start, suites.len())?;
                    suites.push(suite);
                }
                Piece::Open(_) => self.skip()?,
                Piece::Close => return Ok(()),
                Piece::Empty(_) | Piece::Text(_) => {}
            }
        }
    }

    /// Reads a suite into the end of `into`, also when it breaks off.
    fn suite(&mut self, start: &BytesStart<'_>, into: &mut Vec<Item>, depth: usize) -> Outcome<()> {
        if depth > SUITE_DEPTH_MAX {
            return Err(format!("suites lie deeper in one another than {SUITE_DEPTH_MAX}"));
        }
        let mut suite = self.new_suite(start, into.len())?;
        let outcome = self.suite_content(&mut suite, depth);
        if !suite.items.is_empty() || outcome.is_ok() {
            into.push(suite);
        }
        outcome
    }

    fn suite_content(&mut self, suite: &mut Item, depth: usize) -> Outcome<()> {
        loop {
            match self.next()? {
                Piece::Open(start) => match start.local_name().as_ref() {
                    "testcase" => {
                        let case = self.case(&start)?;
                        suite.items.push(case);
                    }
                    "testsuite" if self.mode == Mode::Strict => self.suite(&start, &mut suite.items, depth + 1)?,
                    _ => self.skip()?,
                },
                Piece::Empty(start) => match start.local_name().as_ref() {
                    "testcase" => suite.items.push(Item::new(attribute(&start, "name")?, Status::Passed)),
                    "testsuite" if self.mode == Mode::Strict => {
                        let inner = self.new_suite(&start, suite.items.len())?;
                        suite.items.push(inner);
                    }
                    _ => {}
                },
                Piece::Text(_) => {}
                Piece::Close => return Ok(()),
            }
        }
    }

    /// Returns a suite without cases: passed for Sonobuoy, unknown for the strict.
    fn new_suite(&self, start: &BytesStart<'_>, before: usize) -> Outcome<Item> {
        if self.mode == Mode::SonobuoyCompat {
            check_numbers(start)?;
        }
        let mut name = attribute(start, "name")?;
        if name.is_empty() {
            name = format!("testsuite-{:03}", before + 1);
        }
        let status = if self.mode == Mode::Strict { Status::Unknown } else { Status::Passed };
        Ok(Item::new(name, status))
    }

    fn case(&mut self, start: &BytesStart<'_>) -> Outcome<Item> {
        let mut item = Item::new(attribute(start, "name")?, Status::Passed);
        let mut skipped = false;
        let mut failed = false;
        loop {
            let (start, text) = match self.next()? {
                Piece::Open(start) => (start, self.text()?),
                Piece::Empty(start) => (start, String::new()),
                Piece::Text(_) => continue,
                Piece::Close => break,
            };
            match start.local_name().as_ref() {
                "skipped" => skipped = true,
                "failure" => {
                    failed = true;
                    add_cause(&mut item.details, "failure", &start, &text)?;
                }
                "error" => {
                    failed = true;
                    add_cause(&mut item.details, "error", &start, &text)?;
                }
                "system-out" => add_output(&mut item.details, "system-out", text),
                "system-err" => add_output(&mut item.details, "system-err", text),
                _ => {}
            }
        }
        item.status = match (skipped, failed) {
            (false, false) => Status::Passed,
            (true, true) if self.mode == Mode::Strict => Status::Failed,
            (true, _) => Status::Skipped,
            (false, true) => Status::Failed,
        };
        Ok(item)
    }

    /// Reads the text directly in an element, up to its end; elements in it are passed over.
    fn text(&mut self) -> Outcome<String> {
        let mut all = String::new();
        loop {
            match self.next()? {
                Piece::Open(_) => self.skip()?,
                Piece::Empty(_) => {}
                Piece::Text(text) => all.push_str(&text),
                Piece::Close => return Ok(all),
            }
        }
    }

    /// Passes over what is left of an element, however deep, without recursion.
    fn skip(&mut self) -> Outcome<()> {
        let mut depth = 1_usize;
        while depth > 0 {
            match self.next()? {
                Piece::Open(_) => depth += 1,
                Piece::Close => depth -= 1,
                Piece::Empty(_) | Piece::Text(_) => {}
            }
        }
        Ok(())
    }
}

fn wrong_root(root: &BytesStart<'_>) -> String {
    format!("the root element is `{}` (known: `testsuites`, `testsuite`)", root.name().as_ref())
}

/// Returns an attribute's value; empty when it is absent. Line breaks are kept, as Go keeps them.
fn attribute(start: &BytesStart<'_>, name: &str) -> Outcome<String> {
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        if attribute.key.local_name().as_ref() == name {
            let value = escape::unescape(&attribute.value).map_err(|error| error.to_string())?;
            return Ok(value.replace("\r\n", "\n").replace('\r', "\n"));
        }
    }
    Ok(String::new())
}

/// Refuses a suite whose numbers are none, as Go's decoder does.
fn check_numbers(start: &BytesStart<'_>) -> Outcome<()> {
    for name in ["tests", "failures"] {
        let value = attribute(start, name)?;
        if !value.trim().is_empty() && value.trim().parse::<i64>().is_err() {
            return Err(format!("attribute `{name}` is no integer: `{value}`"));
        }
    }
    let value = attribute(start, "time")?;
    if !value.trim().is_empty() && value.trim().parse::<f64>().is_err() {
        return Err(format!("attribute `time` is no number: `{value}`"));
    }
    Ok(())
}

fn add_cause(details: &mut Details, key: &str, start: &BytesStart<'_>, text: &str) -> Outcome<()> {
    let message = attribute(start, "message")?;
    if !message.is_empty() || !text.is_empty() {
        details.insert(key.to_owned(), format!("{message} {text}").trim().into());
    }
    Ok(())
}

fn add_output(details: &mut Details, key: &str, text: String) {
    if !text.is_empty() {
        details.insert(key.to_owned(), text.into());
    }
}
