//! The output of `porthole results`.

use std::io::{self, BufRead as _, BufReader, Write};

use porthole_core::report::plugin_text::{detailed_line, plugin_block};
use porthole_core::results::Item;
use porthole_core::results::item::META_FILE;

use super::gather::{Content, Health};
use super::plugin::PluginResults;
use super::spill::{Extent, Spill};
use super::{ResultsError, RunArchive};

/// How much of a line is held at once, in bytes; longer lines are copied in parts.
const LINE_BYTES: usize = 64 << 10;

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutputMode {
    /// A block of counts and failed tests per plugin, and the details of the run.
    #[default]
    Report,
    /// Each leaf as one line of JSON, or the content of the file that it stands for.
    Detailed,
    /// The items of each plugin as YAML, as they were recorded.
    Dump,
    /// As the dump, with `\n` and `\t` in texts written out.
    Readable,
}

/// Whether lines of files say where they come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Prefix {
    /// Each line begins with the names from the plugin to the file, joined by `|`, and a blank.
    #[default]
    Names,
    /// Lines are as they are.
    Skip,
}

impl RunArchive {
    /// Prints the selected plugins.
    ///
    /// [`OutputMode::Detailed`] needs a run that was read with the same mode; otherwise leaves that stand
    /// for files are printed as JSON.
    ///
    /// # Errors
    ///
    /// Fails when `out` fails, [`ResultsError::Output`], or the temporary file, [`ResultsError::Spill`].
    pub fn print(&mut self, mode: OutputMode, prefix: Prefix, out: &mut dyn Write) -> Result<(), ResultsError> {
        let Self { plugins, health, spill, warnings, .. } = self;
        let mut printer = Printer { out, spill, warnings, prefix };
        // Only the report has the section also when nothing was recorded.
        let shown = |health: &&Health| mode == OutputMode::Report || !health.text.is_empty();
        let whole_run = plugins.iter().all(|plugin| plugin.selected.is_none());
        let health = health.as_ref().filter(shown).filter(|_| whole_run);
        let count = plugins.len();
        for (index, plugin) in plugins.iter().enumerate() {
            printer.plugin(plugin, mode)?;
            if mode != OutputMode::Detailed && (index + 1 < count || health.is_some()) {
                printer.text("\n")?;
            }
        }
        let Some(health) = health else { return Ok(()) };
        match mode {
            OutputMode::Report => printer.text(&health.summary.text()),
            OutputMode::Detailed => {
                printer.bytes(&health.text)?;
                if health.text.ends_with(b"\n") { Ok(()) } else { printer.text("\n") }
            }
            OutputMode::Dump | OutputMode::Readable => {
                let text = serde_yaml::to_string(&health.summary).map_err(other)?;
                printer.text(&text)
            }
        }
    }
}

struct Printer<'a> {
    out: &'a mut dyn Write,
    spill: &'a mut Spill,
    warnings: &'a mut Vec<String>,
    prefix: Prefix,
}

impl Printer<'_> {
    fn plugin(&mut self, plugin: &PluginResults, mode: OutputMode) -> Result<(), ResultsError> {
        match mode {
            OutputMode::Report => self.text(&plugin_block(plugin.item())),
            OutputMode::Detailed => self.detailed(plugin, &mut Vec::new(), plugin.item()),
            OutputMode::Dump => {
                let text = self.dump(plugin)?;
                self.bytes(&text)
            }
            OutputMode::Readable => {
                let text = self.dump(plugin)?;
                let text = String::from_utf8_lossy(&text).replace("\\n", "\n").replace("\\t", "\t");
                self.text(&text)
            }
        }
    }

    /// Returns the recorded bytes, unless only a part is wanted or none were recorded.
    fn dump(&mut self, plugin: &PluginResults) -> Result<Vec<u8>, ResultsError> {
        match (plugin.recorded, &plugin.selected) {
            (Some(extent), None) => self.spill.whole(extent).map_err(ResultsError::Spill),
            _ => serde_yaml::to_string(plugin.item()).map(String::into_bytes).map_err(other),
        }
    }

    fn detailed<'i>(
        &mut self,
        plugin: &PluginResults,
        path: &mut Vec<&'i str>,
        item: &'i Item,
    ) -> Result<(), ResultsError> {
        if !item.is_leaf() {
            path.push(&item.name);
            for child in &item.items {
                self.detailed(plugin, path, child)?;
            }
            path.pop();
            return Ok(());
        }
        // The file may have been named on Windows.
        let file = item.meta.get(META_FILE).map(|file| file.replace('\\', "/"));
        let Some(file) = file else { return self.leaf(path, item) };
        match plugin.files.get(&file) {
            Some(Content::Kept(extent)) => {
                path.push(&item.name);
                let outcome = self.file(*extent, &path.join("|"));
                path.pop();
                outcome
            }
            Some(Content::NotKept) => self.leaf(path, item),
            Some(Content::Broken(reason)) => {
                self.warnings.push(format!("`plugins/{}/{file}` breaks off: {reason}", plugin.name));
                self.leaf(path, item)
            }
            None => {
                self.warnings.push(format!("`plugins/{}/{file}` is named by the results and not there", plugin.name));
                self.leaf(path, item)
            }
        }
    }

    fn leaf(&mut self, path: &[&str], item: &Item) -> Result<(), ResultsError> {
        let line = detailed_line(path, item).map_err(other)?;
        self.text(&line)?;
        self.text("\n")
    }

    /// Copies a file, each line with its prefix; a last line without a break gets one.
    fn file(&mut self, extent: Extent, names: &str) -> Result<(), ResultsError> {
        let source = self.spill.reader(extent).map_err(ResultsError::Spill)?;
        let mut source = BufReader::with_capacity(LINE_BYTES, source);
        let mut at_start = true;
        loop {
            let buffer = source.fill_buf().map_err(ResultsError::Spill)?;
            if buffer.is_empty() {
                break;
            }
            for part in buffer.split_inclusive(|byte| *byte == b'\n') {
                if at_start && self.prefix == Prefix::Names {
                    write!(self.out, "{names} ").map_err(ResultsError::Output)?;
                }
                self.out.write_all(part).map_err(ResultsError::Output)?;
                at_start = part.ends_with(b"\n");
            }
            let bytes = buffer.len();
            source.consume(bytes);
        }
        if at_start { Ok(()) } else { self.out.write_all(b"\n").map_err(ResultsError::Output) }
    }

    fn text(&mut self, text: &str) -> Result<(), ResultsError> {
        self.bytes(text.as_bytes())
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), ResultsError> {
        self.out.write_all(bytes).map_err(ResultsError::Output)
    }
}

fn other(error: impl std::error::Error + Send + Sync + 'static) -> ResultsError {
    ResultsError::Output(io::Error::other(error))
}
