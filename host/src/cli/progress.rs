//! What a run is doing: bars on a terminal, plain lines elsewhere.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use porthole_core::status::{RunStatus, TargetPhase, TargetStatus};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::terminal;
use crate::app::Prologue;
use crate::runs::Board;

/// How often the display is made anew; faster than this nobody reads.
const PERIOD: Duration = Duration::from_millis(100);
/// Bars that are shown at once; a run over a thousand nodes shows those that are being worked on.
const BARS: usize = 12;
/// Columns of a plugin's and target's name.
const NAME: usize = 32;

/// A display that goes on until it is ended.
pub(super) struct Shown {
    end: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Shown {
    /// Ends the display; a terminal is clean afterwards.
    pub(super) async fn end(self) {
        let _ = self.end.send(());
        // A display that failed has shown what it could.
        let _ = self.task.await;
    }
}

/// Begins to show a run on standard error.
pub(super) fn show(prologue: &Prologue, board: Arc<Board>) -> Shown {
    terminal::say(&format!("run {} on {}\n", prologue.id, prologue.cluster));
    let (end, ended) = oneshot::channel();
    let task =
        if io::stderr().is_terminal() { tokio::spawn(bars(board, ended)) } else { tokio::spawn(lines(board, ended)) };
    Shown { end, task }
}

/// Says each failure at once, and of each plugin when it is done everywhere: a line per node would bury both.
async fn lines(board: Arc<Board>, mut ended: oneshot::Receiver<()>) {
    let mut said: Vec<bool> = Vec::new();
    let mut done: BTreeSet<String> = BTreeSet::new();
    loop {
        let over = tokio::time::timeout(PERIOD, &mut ended).await.is_ok();
        let status = board.status();
        said.resize(status.plugins.len().max(said.len()), false);
        for (entry, said) in status.plugins.iter().zip(&mut said) {
            if !*said && entry.status != TargetPhase::Running {
                *said = true;
                if entry.error.is_some() {
                    terminal::say(&format!("{}\n", failure(entry)));
                }
                if let Some(text) = whole(&status, &entry.plugin)
                    && done.insert(entry.plugin.clone())
                {
                    terminal::say(&format!("{text}\n"));
                }
            }
        }
        if over {
            return;
        }
    }
}

/// Says that a plugin is done, once none of its targets is running; nothing if all of them failed.
fn whole(status: &RunStatus, plugin: &str) -> Option<String> {
    let mine = || status.plugins.iter().filter(|entry| entry.plugin == plugin);
    if mine().any(|entry| entry.status == TargetPhase::Running) {
        return None;
    }
    let (all, good) = (mine().count(), mine().filter(|entry| entry.error.is_none()).count());
    match (good, all) {
        (0, _) => None,
        (1, 1) => Some(format!("{plugin}: done")),
        _ if good == all => Some(format!("{plugin}: done on {all} nodes")),
        _ => Some(format!("{plugin}: done on {good} of {all} nodes")),
    }
}

fn failure(entry: &TargetStatus) -> String {
    let error = entry.error.as_deref().unwrap_or_default();
    format!("{}: {}: {error}", name(entry), terminal::error_word())
}

fn name(entry: &TargetStatus) -> String {
    if entry.node == crate::runs::GLOBAL { entry.plugin.clone() } else { format!("{} on {}", entry.plugin, entry.node) }
}

async fn bars(board: Arc<Board>, mut ended: oneshot::Receiver<()>) {
    let display = MultiProgress::new();
    let whole = display.add(ProgressBar::new(0));
    whole.set_style(style("{prefix:.bold} {wide_bar:.cyan/dim} {pos}/{len} {elapsed}"));
    whole.set_prefix("run");
    let mut shown: Vec<(usize, ProgressBar)> = Vec::new();
    loop {
        let over = tokio::time::timeout(PERIOD, &mut ended).await.is_ok();
        update(&board.status(), &display, &whole, &mut shown);
        if over {
            for (_, bar) in shown {
                bar.finish_and_clear();
            }
            whole.finish_and_clear();
            return;
        }
    }
}

fn update(status: &RunStatus, display: &MultiProgress, whole: &ProgressBar, shown: &mut Vec<(usize, ProgressBar)>) {
    let running = |entry: &TargetStatus| entry.status == TargetPhase::Running;
    let done = status.plugins.iter().filter(|entry| !running(entry)).count();
    whole.set_length(u64::try_from(status.plugins.len()).unwrap_or(u64::MAX));
    whole.set_position(u64::try_from(done).unwrap_or(u64::MAX));
    shown.retain(|(index, bar)| {
        let entry = &status.plugins[*index];
        if running(entry) {
            return true;
        }
        bar.finish_and_clear();
        if entry.error.is_some() {
            // The line stays above the bars.
            let _ = display.println(failure(entry));
        }
        false
    });
    for (index, entry) in status.plugins.iter().enumerate().filter(|(_, entry)| running(entry)) {
        let known = shown.iter().position(|(known, _)| *known == index);
        if known.is_none() && shown.len() == BARS {
            break;
        }
        let position = known.unwrap_or_else(|| {
            let bar = display.add(ProgressBar::new(0));
            bar.set_style(style("  {prefix} {spinner} {wide_msg}"));
            shown.push((index, bar));
            shown.len() - 1
        });
        let bar = &shown[position].1;
        let mut label = name(entry);
        label.truncate(label.floor_char_boundary(NAME));
        bar.set_prefix(format!("{label:NAME$}"));
        bar.set_message(message(entry));
        bar.tick();
    }
}

fn message(entry: &TargetStatus) -> String {
    let Some(progress) = &entry.progress else { return String::new() };
    // What a plugin says must not move the cursor.
    let said: String = progress.message.chars().filter(|letter| !letter.is_control()).collect();
    match progress.total {
        0 => said,
        total => format!("{}/{total} {said}", progress.completed + progress.failed()),
    }
}

/// The templates are constants; a wrong one would show a plain bar.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
