//! Sonobuoy's manifest: `sonobuoy-config` and a container `spec` that names a component here.

use super::keys::Keys;
use super::{ManifestError, ManifestFormat, PluginManifest, Producer, ResultFormat, native, pod};

const CONFIG: &str = "sonobuoy-config";

/// Returns whether the document has the shape of Sonobuoy's manifest.
pub(super) fn is(keys: &Keys<'_>) -> bool {
    keys.get(CONFIG).is_some()
}

/// Reads Sonobuoy's form. Unknown keys are ignored, as Sonobuoy does; old manifests carry several.
pub(super) fn read(keys: &Keys<'_>) -> Result<PluginManifest, ManifestError> {
    let config = keys.required_map(CONFIG, "it says what the plugin is called and how it runs")?;
    let name = config.required_text("plugin-name", "it names the plugin")?;
    super::check_name(&config.path("plugin-name"), &name)?;
    let mut manifest = PluginManifest::named(name, ManifestFormat::Sonobuoy);
    manifest.description = config.text("description")?.unwrap_or_default();
    manifest.source_url = config.text("source-url")?.unwrap_or_default();
    manifest.config_files = pod::config_files(keys, "config-map")?;

    let driver = native::driver(&config)?;
    let mut producer = Producer {
        driver,
        result_format: result_format(&config, "result-format", &mut manifest.notices)?,
        result_files: config.texts("result-files")?,
        order: config.integer("order")?,
        skip_cleanup: config.truth("skip-cleanup")?,
        placement: pod::placement(keys, driver)?,
        ..Producer::default()
    };
    let spec = keys.required_map("spec", "its `image` names the component")?;
    pod::container(&spec, &mut producer, &mut manifest)?;
    for ignored in ["extra-volumes", "podSpec"] {
        if keys.get(ignored).is_some() {
            manifest.notices.push(notice_of(ignored).to_owned());
        }
    }
    manifest.producer = Some(producer);
    Ok(manifest)
}

fn notice_of(key: &str) -> &'static str {
    match key {
        "podSpec" => "of `podSpec`, node selector, node affinity and tolerations apply; there is no pod for the rest",
        _ => "`extra-volumes` is ignored: a plugin sees only the files that it was granted",
    }
}

/// Reads a result format as Sonobuoy does: in any case, raw when it is not there or not known.
pub(super) fn result_format(
    keys: &Keys<'_>,
    key: &str,
    notices: &mut Vec<String>,
) -> Result<ResultFormat, ManifestError> {
    let name = keys.text(key)?.unwrap_or_default();
    if let Some(format) = ResultFormat::named(&name) {
        return Ok(format);
    }
    if !name.is_empty() {
        let shown: String = name.chars().take(60).collect();
        notices.push(format!("result format `{shown}` is not known; the results are kept raw, as Sonobuoy does"));
    }
    Ok(ResultFormat::Raw)
}
