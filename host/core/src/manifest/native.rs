//! Porthole's own manifest: `apiVersion: porthole.dev/v1alpha1`, `kind: Plugin`.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::keys::{Keys, wrong_type};
use super::{
    CniModelDocument, ConfigSpec, Driver, HookDocument, ManifestError, ManifestFormat, PluginManifest, Producer,
    ResultFormat, pod,
};
use crate::placement::Placement;

const GROUP: &str = "porthole.dev/";
const API_VERSION: &str = "porthole.dev/v1alpha1";
const KIND: &str = "Plugin";

const ROOT: &[&str] = &["apiVersion", "kind", "metadata", "spec"];
const METADATA: &[&str] = &["name", "version", "description", "sourceUrl", "license", "labels", "annotations"];
const SPEC: &[&str] = &["producer", "hooks", "cniModel", "config", "requests", "limits", "component", "configFiles"];
const PRODUCER: &[&str] = &[
    "driver",
    "resultFormat",
    "resultFiles",
    "order",
    "timeout",
    "skipCleanup",
    "nodeSelector",
    "nodeAffinity",
    "tolerations",
    "args",
    "env",
];

/// Returns whether the document says that it is Porthole's, in any version.
pub(super) fn is(keys: &Keys<'_>) -> bool {
    keys.get("apiVersion").and_then(Value::as_str).is_some_and(|version| version.starts_with(GROUP))
}

/// Reads Porthole's own form; a key that it does not know is an error.
pub(super) fn read(keys: &Keys<'_>) -> Result<PluginManifest, ManifestError> {
    let version = keys.required_text("apiVersion", "it names the form")?;
    if version != API_VERSION {
        return Err(keys.invalid("apiVersion", &version, format!("this host reads `{API_VERSION}`")));
    }
    let kind = keys.required_text("kind", "it must be `Plugin`")?;
    if kind != KIND {
        return Err(keys.invalid("kind", &kind, "this host reads `Plugin`"));
    }
    keys.refuse_unknown(ROOT)?;
    let metadata = keys.required_map("metadata", "it holds the plugin's name")?;
    metadata.refuse_unknown(METADATA)?;
    let name = metadata.required_text("name", "it names the plugin")?;
    super::check_name("metadata.name", &name)?;
    let spec = keys.required_map("spec", "it says what the plugin does")?;
    spec.refuse_unknown(SPEC)?;

    let mut manifest = PluginManifest::named(name, ManifestFormat::Porthole);
    manifest.version = metadata.text("version")?.unwrap_or_default();
    manifest.description = metadata.text("description")?.unwrap_or_default();
    manifest.source_url = metadata.text("sourceUrl")?.unwrap_or_default();
    manifest.license = metadata.text("license")?.unwrap_or_default();
    manifest.producer = spec.map("producer")?.map(|producer| read_producer(&producer)).transpose()?;
    manifest.hooks = spec.maps("hooks")?.iter().map(|hook| HookDocument(document(hook))).collect();
    manifest.cni_model = spec.map("cniModel")?.map(|model| CniModelDocument(document(&model)));
    manifest.config = read_config(&spec)?;
    manifest.requests = part(&spec, "requests")?;
    manifest.limits = part(&spec, "limits")?;
    manifest.component =
        spec.text("component")?.map(|path| pod::component_path(&spec, "component", path)).transpose()?;
    manifest.config_files = pod::config_files(&spec, "configFiles")?;
    if manifest.producer.is_none() && manifest.hooks.is_empty() && manifest.cni_model.is_none() {
        return Err(ManifestError::MissingKey {
            path: "spec.producer".to_owned(),
            purpose: "a plugin is a `producer`, has `hooks`, or is a `cniModel`",
        });
    }
    Ok(manifest)
}

fn read_producer(keys: &Keys<'_>) -> Result<Producer, ManifestError> {
    keys.refuse_unknown(PRODUCER)?;
    let result_format = match keys.text("resultFormat")? {
        None => ResultFormat::Items,
        Some(name) => ResultFormat::named(&name).ok_or_else(|| {
            keys.invalid("resultFormat", &name, format!("it must be one of {}", ResultFormat::NAMES.join(", ")))
        })?,
    };
    Ok(Producer {
        driver: driver(keys)?,
        result_format,
        result_files: keys.texts("resultFiles")?,
        order: keys.integer("order")?,
        timeout: keys.duration("timeout")?,
        skip_cleanup: keys.truth("skipCleanup")?,
        placement: Placement {
            node_selector: keys.text_map("nodeSelector")?.into_iter().collect(),
            node_affinity: keys.map("nodeAffinity")?.map(|keys| pod::node_affinity(&keys)).transpose()?.flatten(),
            tolerations: pod::tolerations(keys)?,
        },
        args: keys.texts("args")?,
        env: pod::environment(keys, &mut Vec::new())?,
    })
}

/// Reads `driver`, which must be there.
pub(super) fn driver(keys: &Keys<'_>) -> Result<Driver, ManifestError> {
    const PURPOSE: &str = "it is `Job` (once per cluster) or `DaemonSet` (once per node)";
    let name = keys.required_text("driver", PURPOSE)?;
    Driver::named(&name).ok_or_else(|| {
        keys.invalid("driver", &name, "it must be `Job` (once per cluster) or `DaemonSet` (once per node)")
    })
}

fn read_config(spec: &Keys<'_>) -> Result<ConfigSpec, ManifestError> {
    let Some(config) = spec.map("config")? else { return Ok(ConfigSpec::default()) };
    config.refuse_unknown(&["schema"])?;
    let schema = config.get("schema").cloned();
    if let Some(schema) = &schema {
        if !schema.is_object() {
            return Err(wrong_type(config.path("schema"), schema, "a JSON Schema, which is a map"));
        }
        crate::config::check_schema(schema)
            .map_err(|error| ManifestError::InvalidPart { path: config.path("schema"), reason: error.to_string() })?;
    }
    Ok(ConfigSpec { schema })
}

/// Reads a part that another module of this crate defines; the default when it is not there.
fn part<T: DeserializeOwned + Default>(spec: &Keys<'_>, key: &str) -> Result<T, ManifestError> {
    let Some(value) = spec.get(key) else { return Ok(T::default()) };
    T::deserialize(value)
        .map_err(|error| ManifestError::InvalidPart { path: spec.path(key), reason: error.to_string() })
}

fn document(keys: &Keys<'_>) -> Value {
    Value::Object(keys.entries().map(|(key, value)| (key.clone(), value.clone())).collect())
}
