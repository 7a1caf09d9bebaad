//! Which kinds an API server serves: aggregated discovery, and the plain one for servers before 1.27.

use std::collections::BTreeSet;

use http::header::CONTENT_TYPE;
use porthole_core::resource::{ApiResource, ResourceType};
use serde::Deserialize;

use super::failure::Subject;
use super::page::FormatError;
use super::transport::{Answer, Question, Transport};
use crate::cluster::{ClusterError, Result};

/// Aggregated discovery v2, GA since Kubernetes 1.30; the plain form where a server does not know it.
const ACCEPT: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";

#[derive(Deserialize)]
struct Aggregated {
    #[serde(default)]
    items: Vec<Group>,
}

#[derive(Deserialize)]
struct Group {
    #[serde(default)]
    metadata: GroupName,
    #[serde(default)]
    versions: Vec<Version>,
}

#[derive(Deserialize, Default)]
struct GroupName {
    #[serde(default)]
    name: String,
}

#[derive(Deserialize)]
struct Version {
    version: String,
    #[serde(default)]
    resources: Vec<Served>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Served {
    resource: String,
    #[serde(default)]
    response_kind: Kind,
    #[serde(default)]
    scope: String,
    #[serde(default)]
    verbs: Vec<String>,
}

#[derive(Deserialize, Default)]
struct Kind {
    #[serde(default)]
    kind: String,
}

#[derive(Deserialize)]
struct PlainVersions {
    #[serde(default)]
    versions: Vec<String>,
}

#[derive(Deserialize)]
struct PlainGroups {
    #[serde(default)]
    groups: Vec<PlainGroup>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PlainGroup {
    name: String,
    #[serde(default)]
    versions: Vec<PlainVersion>,
    #[serde(default)]
    preferred_version: Option<PlainVersion>,
}

#[derive(Deserialize, PartialEq, Eq)]
struct PlainVersion {
    version: String,
}

#[derive(Deserialize)]
struct PlainResources {
    #[serde(default)]
    resources: Vec<PlainResource>,
}

#[derive(Deserialize)]
struct PlainResource {
    name: String,
    #[serde(default)]
    kind: String,
    #[serde(default)]
    namespaced: bool,
    #[serde(default)]
    verbs: Vec<String>,
}

/// Asks for everything that is served, sorted by group, version and name, without subresources. Two requests,
/// or one per version of each group where the server has only the plain discovery.
///
/// A group whose server is broken (an `APIService` without a backend) is left out with a warning.
pub(super) async fn discover(transport: &Transport) -> Result<Vec<ApiResource>> {
    let mut found = Vec::new();
    for root in ["/api", "/apis"] {
        let answer = transport.ask(&Question { accept: ACCEPT, ..Question::get(root.to_owned()) }).await?;
        let groups = if is_aggregated(&answer) {
            parse::<Aggregated>(&answer)?.items
        } else {
            plain(transport, root, &answer).await?
        };
        found.extend(groups.into_iter().flat_map(flatten));
    }
    found.sort_by(|left, right| left.resource_type.cmp(&right.resource_type));
    found.dedup_by(|left, right| left.resource_type == right.resource_type);
    Ok(found)
}

fn is_aggregated(answer: &Answer) -> bool {
    let media_type = answer.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    media_type.is_some_and(|media_type| media_type.contains("g=apidiscovery.k8s.io"))
}

/// Reads a plain root and each version of its groups, in the order of preference.
async fn plain(transport: &Transport, root: &str, answer: &Answer) -> Result<Vec<Group>> {
    let groups = if root == "/api" {
        let versions = parse::<PlainVersions>(answer)?.versions.into_iter().map(|version| PlainVersion { version });
        vec![PlainGroup { name: String::new(), versions: versions.collect(), preferred_version: None }]
    } else {
        parse::<PlainGroups>(answer)?.groups
    };
    let mut read = Vec::new();
    for group in groups {
        let mut ordered = group.versions;
        ordered.sort_by_key(|version| group.preferred_version.as_ref() != Some(version));
        let mut versions = Vec::new();
        for PlainVersion { version } in ordered {
            let path = [root, group.name.as_str(), version.as_str()];
            let path = path.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/");
            match plain_version(transport, path).await {
                Ok(resources) => versions.push(Version { version, resources }),
                Err(error) => tracing::warn!(group = group.name, version, %error, "this API version is left out"),
            }
        }
        read.push(Group { metadata: GroupName { name: group.name }, versions });
    }
    Ok(read)
}

async fn plain_version(transport: &Transport, path: String) -> Result<Vec<Served>> {
    // A broken group answers 503 for ever: three attempts tell it from a server that restarts.
    let question =
        Question { attempts: super::limit::FIRST_ATTEMPTS, subject: Subject::default(), ..Question::get(path) };
    let resources = parse::<PlainResources>(&transport.ask(&question).await?)?.resources;
    Ok(resources.into_iter().filter(|resource| !resource.name.contains('/')).map(Served::from).collect())
}

impl From<PlainResource> for Served {
    fn from(resource: PlainResource) -> Self {
        let scope = if resource.namespaced { "Namespaced" } else { "Cluster" };
        Self {
            resource: resource.name,
            response_kind: Kind { kind: resource.kind },
            scope: scope.to_owned(),
            verbs: resource.verbs,
        }
    }
}

/// Turns a group into kinds; a server lists versions by preference, so the first that has a resource is preferred.
fn flatten(group: Group) -> Vec<ApiResource> {
    let name = group.metadata.name;
    let mut seen = BTreeSet::new();
    let mut kinds = Vec::new();
    for Version { version, resources } in group.versions {
        for served in resources {
            let mut verbs = served.verbs;
            verbs.sort();
            kinds.push(ApiResource {
                preferred: seen.insert(served.resource.clone()),
                resource_type: ResourceType::new(&name, &version, served.resource),
                kind: served.response_kind.kind,
                namespaced: served.scope == "Namespaced",
                verbs,
            });
        }
    }
    kinds
}

fn parse<'a, T: Deserialize<'a>>(answer: &'a Answer) -> Result<T> {
    serde_json::from_slice(&answer.body)
        .map_err(|error| ClusterError::Unavailable(format!("discovery: {}", FormatError::from(error))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_version_that_has_a_resource_is_preferred() {
        let list: Aggregated = serde_json::from_str(
            r#"{"items":[{"metadata":{"name":"autoscaling"},"versions":[
                {"version":"v2","resources":[{"resource":"hpas","responseKind":{"kind":"Hpa"},"scope":"Namespaced","verbs":["list","get"]}]},
                {"version":"v1","resources":[{"resource":"hpas","responseKind":{"kind":"Hpa"},"scope":"Namespaced","verbs":[]},
                                             {"resource":"old","scope":"Cluster","verbs":["get"]}]},
                {"version":"v0","freshness":"Stale"}]}]}"#,
        )
        .expect("this is what servers send");
        let kinds: Vec<_> = list.items.into_iter().flat_map(flatten).collect();
        let said: Vec<_> = kinds
            .iter()
            .map(|kind| format!("{} {} {} {:?}", kind.resource_type, kind.preferred, kind.namespaced, kind.verbs))
            .collect();
        assert_eq!(
            said,
            [
                r#"autoscaling/v2/hpas true true ["get", "list"]"#,
                "autoscaling/v1/hpas false true []",
                r#"autoscaling/v1/old true false ["get"]"#
            ]
        );
    }
}
