//! The older flat form: `name`, `driver`, `resultType` and `spec` at the top.

use super::keys::Keys;
use super::{ManifestError, ManifestFormat, PluginManifest, Producer, native, pod, sonobuoy};

/// Returns whether the document has the shape of the flat form.
pub(super) fn is(keys: &Keys<'_>) -> bool {
    keys.get("name").is_some() && keys.get("driver").is_some() && keys.get("spec").is_some()
}

/// Reads the flat form. Unknown keys are ignored, as with Sonobuoy's.
///
/// `resultType` named the folder of the results, and was in practice the plugin's name; results are
/// found by the plugin's name today, so another value is said and not used. As a result *format* it is
/// taken where it is one, because authors used it so.
pub(super) fn read(keys: &Keys<'_>) -> Result<PluginManifest, ManifestError> {
    let name = keys.required_text("name", "it names the plugin")?;
    super::check_name("name", &name)?;
    let mut manifest = PluginManifest::named(name, ManifestFormat::Flat);
    manifest.description = keys.text("description")?.unwrap_or_default();
    manifest.config_files = pod::config_files(keys, "config-map")?;
    let driver = native::driver(keys)?;
    let result_type = keys.text("resultType")?.unwrap_or_default();
    let result_format = match super::ResultFormat::named(&result_type) {
        Some(format) => format,
        None => sonobuoy::result_format(keys, "resultFormat", &mut manifest.notices)?,
    };
    if super::ResultFormat::named(&result_type).is_none() && !result_type.is_empty() && result_type != manifest.name {
        let shown: String = result_type.chars().take(60).collect();
        manifest.notices.push(format!("`resultType: {shown}` is not used: results are stored under the plugin's name"));
    }
    let mut producer =
        Producer { driver, result_format, placement: pod::placement(keys, driver)?, ..Producer::default() };
    let spec = keys.required_map("spec", "its `image` names the component")?;
    pod::container(&spec, &mut producer, &mut manifest)?;
    manifest.producer = Some(producer);
    Ok(manifest)
}
