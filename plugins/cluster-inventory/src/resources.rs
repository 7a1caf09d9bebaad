//! `resources/cluster/…` and `resources/ns/…`: every kind, a file per kind and namespace.

use std::collections::BTreeMap;
use std::io::Write;

use porthole_sdk::kubernetes::{self, ApiResource};
use porthole_sdk::results::{self, File, Reporter};
use porthole_sdk::{Failure, progress};
use serde::Deserialize;

use crate::outcome::{Collected, Trouble, item};
use crate::settings::Settings;

/// Collects every wanted kind in its preferred version; one that fails does not keep the others from
/// being collected.
pub(crate) fn collect(settings: &Settings, reporter: &mut Reporter) -> Result<(), Failure> {
    let served = kubernetes::api_resources()?;
    let wanted: Vec<_> = served.iter().filter(|kind| is_wanted(kind, &settings.resources)).collect();
    let steps = progress::Steps::new(wanted.len());
    for kind in wanted {
        let name = name(kind);
        let result = collect_kind(kind, settings);
        match &result {
            Ok(_) => steps.done(&name),
            Err(_) => steps.failed(&name),
        }
        reporter.push(item(["resources", &name], result))?;
    }
    Ok(())
}

/// Secrets are collected only when they are named, and then only if they were granted.
fn is_wanted(kind: &ApiResource, names: &[String]) -> bool {
    let resource = &kind.resource;
    if !kind.preferred || !kind.verbs.iter().any(|verb| verb == "list") {
        return false;
    }
    if names.is_empty() {
        return !(resource.group().is_empty() && resource.name() == "secrets");
    }
    let full = format!("{}.{}", resource.name(), resource.group());
    names.iter().any(|name| name == resource.name() || *name == full)
}

fn name(kind: &ApiResource) -> String {
    let resource = &kind.resource;
    let group = if resource.group().is_empty() { "core" } else { resource.group() };
    format!("{group}/{}/{}", resource.version(), resource.name())
}

#[derive(Deserialize)]
struct Object {
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Deserialize, Default)]
struct Metadata {
    #[serde(default)]
    namespace: String,
}

fn collect_kind(kind: &ApiResource, settings: &Settings) -> Result<Collected, Trouble> {
    let mut files = Files::new(kind);
    let filled = fill(&mut files, kind, settings);
    // What was collected before a list broke off is whole lists too, not cut-off JSON.
    let collected = files.finish()?;
    filled.map(|()| collected)
}

fn fill(files: &mut Files<'_>, kind: &ApiResource, settings: &Settings) -> Result<(), Trouble> {
    let list = kubernetes::list(&kind.resource).labels(&settings.label_selector).omit(["metadata.managedFields"]);
    for page in list.pages() {
        for object in page?.items {
            let namespace = if kind.namespaced { namespace(&object)? } else { String::new() };
            if !kind.namespaced || settings.namespaces.is_match(&namespace) {
                files.write(&namespace, &object)?;
            }
        }
    }
    Ok(())
}

fn namespace(object: &[u8]) -> Result<String, Trouble> {
    let object: Object = serde_json::from_slice(object)
        .map_err(|error| Trouble::Cluster(kubernetes::Error::Malformed(error.to_string())))?;
    Ok(object.metadata.namespace)
}

/// The files of one kind. Lists come sorted by namespace, so that one file after the other is written; a
/// namespace that comes back keeps its file open, since a file can be made only once.
struct Files<'a> {
    kind: &'a ApiResource,
    open: BTreeMap<String, File>,
    collected: Collected,
}

impl<'a> Files<'a> {
    fn new(kind: &'a ApiResource) -> Self {
        Self { kind, open: BTreeMap::new(), collected: Collected::default() }
    }

    fn write(&mut self, namespace: &str, object: &[u8]) -> Result<(), Trouble> {
        let begun = self.open.contains_key(namespace);
        if !begun {
            let file = self.begin(namespace)?;
            self.open.insert(namespace.to_owned(), file);
        }
        if let Some(file) = self.open.get_mut(namespace) {
            if begun {
                file.write_all(b",")?;
            }
            file.write_all(object)?;
        }
        self.collected.objects += 1;
        self.collected.bytes += object.len() as u64;
        Ok(())
    }

    /// A list as the API server would write it, up to its first object.
    fn begin(&self, namespace: &str) -> Result<File, Trouble> {
        let resource = &self.kind.resource;
        let (group, version) = (resource.group(), resource.version());
        let place = if self.kind.namespaced { format!("ns/{namespace}") } else { "cluster".to_owned() };
        let group_name = if group.is_empty() { "core" } else { group };
        let mut file = results::create_cluster_file(&format!(
            "resources/{place}/{group_name}_{version}_{}.json",
            resource.name()
        ))?;
        let api_version = if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
        write!(
            file,
            "{{\"apiVersion\":\"{api_version}\",\"kind\":\"{}List\",\"metadata\":{{}},\"items\":[",
            self.kind.kind
        )?;
        Ok(file)
    }

    fn finish(self) -> Result<Collected, Trouble> {
        for (_, mut file) in self.open {
            file.write_all(b"]}\n")?;
            file.finish()?;
        }
        Ok(self.collected)
    }
}
