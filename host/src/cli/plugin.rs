//! `porthole plugin`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use porthole_core::exit_code::ExitCode;
use serde_json::{Value, json};

use super::error::CliError;
use super::{paths, terminal};
use crate::app::bundled_candidates;
use crate::causes::chain;
use crate::registry::{Candidate, Discovered, Origin, select};

/// What can be done with plugins.
#[derive(Debug, Subcommand)]
pub(super) enum PluginCommand {
    /// List the plugins that are found, and the files that gave none
    List(ListArguments),
    /// Show what a plugin asks for, and what its imports prove that it can use
    Inspect {
        /// A name, a `.wasm` or YAML file
        plugin: String,
        #[command(flatten)]
        list: ListArguments,
    },
}

/// Options of both.
#[derive(Debug, Args)]
pub(super) struct ListArguments {
    /// Look for plugins here, instead of the usual folders
    #[arg(long, value_name = "DIR")]
    plugin_dir: Vec<PathBuf>,
    /// How to print it
    #[arg(short, long, value_enum, default_value = "text")]
    output: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One JSON document
    Json,
}

/// Lists or inspects plugins. The exit code is 2 when a file could not be used.
pub(super) fn run(command: &PluginCommand) -> Result<ExitCode, CliError> {
    let (arguments, wanted) = match command {
        PluginCommand::List(arguments) => (arguments, Vec::new()),
        PluginCommand::Inspect { plugin, list } => (list, vec![plugin.clone()]),
    };
    let mut discovered = Discovered::default();
    for candidate in bundled_candidates().map_err(|error| CliError::internal(chain(&error)))? {
        discovered.insert(candidate);
    }
    let folders =
        if arguments.plugin_dir.is_empty() { paths::plugin_search_path() } else { arguments.plugin_dir.clone() };
    for folder in &folders {
        discovered.add_folder(folder);
    }
    let selected = select(discovered, &wanted).map_err(crate::app::AppError::from)?;
    for failure in &selected.failures {
        let text = format!("{}: {}: {}\n", terminal::error_word(), failure.path.display(), chain(&failure.error));
        terminal::say(&text);
    }
    let text = match (arguments.output, command) {
        (Format::Json, _) => json_text(&selected.plugins)?,
        (Format::Text, PluginCommand::List(_)) => list(&selected.plugins),
        (Format::Text, PluginCommand::Inspect { .. }) => {
            selected.plugins.iter().map(inspect).collect::<Result<Vec<_>, _>>()?.join("---\n")
        }
    };
    terminal::put(&text).map_err(|error| CliError::internal(format!("standard output: {error}")))?;
    Ok(if selected.failures.is_empty() { ExitCode::Passed } else { ExitCode::Usage })
}

fn list(plugins: &[Candidate]) -> String {
    let rows: Vec<[String; 4]> = plugins
        .iter()
        .map(|plugin| {
            let driver = plugin.manifest.producer.as_ref().map_or("-", |producer| producer.driver.name());
            [plugin.name().to_owned(), plugin.manifest.version.clone(), driver.to_owned(), origin(&plugin.origin)]
        })
        .collect();
    let header = ["NAME", "VERSION", "DRIVER", "FROM"].map(str::to_owned);
    let widths: [usize; 4] = std::array::from_fn(|column| {
        rows.iter().chain([&header]).map(|row| row[column].chars().count()).max().unwrap_or(0)
    });
    let mut text = String::new();
    for row in [&header].into_iter().chain(&rows) {
        let cells: Vec<_> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        text.push_str(cells.join("   ").trim_end());
        text.push('\n');
    }
    text
}

fn origin(origin: &Origin) -> String {
    origin.path().map_or_else(|| "bundled".to_owned(), |path| path.display().to_string())
}

fn document(plugin: &Candidate) -> Value {
    let manifest = &plugin.manifest;
    let interfaces =
        |component: &crate::registry::Component| component.imports.iter().map(ToString::to_string).collect::<Vec<_>>();
    json!({
        "name": manifest.name,
        "version": manifest.version,
        "description": manifest.description,
        "sourceUrl": manifest.source_url,
        "license": manifest.license,
        "from": origin(&plugin.origin),
        "driver": manifest.producer.as_ref().map(|producer| producer.driver.name()),
        "resultFormat": manifest.producer.as_ref().map(|producer| producer.result_format.name()),
        "digest": plugin.component.as_ref().map(|component| component.digest.clone()),
        "imports": plugin.component.as_ref().map(interfaces),
        "requests": manifest.requests,
        "notices": manifest.notices,
    })
}

fn json_text(plugins: &[Candidate]) -> Result<String, CliError> {
    let documents: Vec<_> = plugins.iter().map(document).collect();
    let text = serde_json::to_string_pretty(
        &json!({ "apiVersion": "porthole.dev/v1alpha1", "kind": "PluginList", "items": documents }),
    );
    text.map(|text| text + "\n").map_err(|error| CliError::internal(error.to_string()))
}

/// The same as YAML, which reads like the manifest it comes from.
fn inspect(plugin: &Candidate) -> Result<String, CliError> {
    let mut document = document(plugin);
    if let Value::Object(map) = &mut document {
        map.retain(|_, value| !matches!(value, Value::Null) && *value != json!("") && *value != json!([]));
    }
    serde_yaml::to_string(&document).map_err(|error| CliError::internal(error.to_string()))
}
