//! kops' plugin manifest (kubernetes/kops#958): recognised, and kept for the hook engine.

use serde_json::{Map, Value};

use super::keys::Keys;
use super::{HookDocument, ManifestError, ManifestFormat, PluginManifest};

/// What `type` may say.
const TYPES: [&str; 2] = ["shell-exec", "plugin"];

/// What `behavior` may say.
const BEHAVIORS: [&str; 4] = ["sync-enforce", "sync-bypass", "async-enforce", "async-bypass"];

/// Returns whether the document has the shape of a kops plugin.
pub(super) fn is(keys: &Keys<'_>) -> bool {
    keys.get("type").is_some() && keys.get("behavior").is_some()
}

/// Reads a kops plugin as a manifest with one hook and no producer.
///
/// Its name keeps its capitals in the hook, and is lower-cased for the plugin, where kops' own example
/// (`CustomTags`) would not be accepted.
pub(super) fn read(keys: &Keys<'_>) -> Result<PluginManifest, ManifestError> {
    let name = keys.required_text("name", "it names the plugin")?;
    let plugin_name = name.to_ascii_lowercase();
    super::check_name("name", &plugin_name)?;
    for (key, known) in [("type", TYPES.as_slice()), ("behavior", BEHAVIORS.as_slice())] {
        let value = keys.required_text(key, "it says how the hook runs")?;
        if !known.contains(&value.as_str()) {
            return Err(keys.invalid(key, &value, format!("it must be one of {}", known.join(", "))));
        }
    }
    let (command, script) = (keys.text("command")?, keys.text("script")?);
    let shell = keys.text("type")?.as_deref() == Some("shell-exec");
    match (shell, &command, &script) {
        (true, None, None) => {
            return Err(ManifestError::MissingKey {
                path: "command".to_owned(),
                purpose: "a `shell-exec` plugin runs either a `command` or a `script`",
            });
        }
        (true, Some(_), Some(script)) => {
            return Err(keys.invalid(
                "script",
                script,
                "a `shell-exec` plugin has a `command` or a `script`, not both",
            ));
        }
        _ => {}
    }
    let document: Map<String, Value> = keys.entries().map(|(key, value)| (key.clone(), value.clone())).collect();
    let mut manifest = PluginManifest::named(plugin_name, ManifestFormat::Kops);
    manifest.component = keys.text("component")?;
    manifest.hooks.push(HookDocument(Value::Object(document)));
    manifest.notices.push(format!("`{name}` is a kops plugin: it runs as a hook, never as part of `porthole run`"));
    Ok(manifest)
}
