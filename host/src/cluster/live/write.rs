//! Changes: create, server-side apply, patch, delete, evict, each also as a dry run.

use bytes::Bytes;
use http::Method;
use porthole_core::resource::ResourceType;
use serde_json::{Value, json};

use super::backoff::Repeat;
use super::path;
use super::read;
use super::transport::{Question, Transport};
use crate::cluster::{ClusterError, DeleteQuery, Object, PatchType, Propagation, Result, Target, Write, WriteMode};

/// Who manages the fields of an object that is created.
const FIELD_MANAGER: &str = "porthole";

impl Write {
    /// Returns the kind that is written, to fill in its version.
    pub(super) fn resource_type_mut(&mut self) -> Option<&mut ResourceType> {
        match self {
            Self::Create { resource_type, .. } | Self::Apply { resource_type, .. } => Some(resource_type),
            Self::Patch { target, .. } | Self::Delete { target, .. } => Some(&mut target.resource_type),
            Self::Evict { .. } => None,
        }
    }
}

/// Makes a change; the versions in `write` are not empty.
pub(super) async fn write(transport: &Transport, write: Write, mode: WriteMode) -> Result<Option<Object>> {
    let gone = matches!(write, Write::Delete { .. } | Write::Evict { .. });
    let answer = transport.ask(&question(write, mode)?).await?;
    if gone { Ok(None) } else { read::object(transport, &answer.body).map(Some) }
}

fn question(write: Write, mode: WriteMode) -> Result<Question> {
    let mut pairs = match mode {
        WriteMode::Commit => Vec::new(),
        WriteMode::DryRun => vec![("dryRun", "All".to_owned())],
    };
    Ok(match write {
        Write::Create { resource_type, object } => {
            pairs.push(("fieldManager", FIELD_MANAGER.to_owned()));
            let path = path::collection(&resource_type, object.namespace())?;
            sent(
                Method::POST,
                path,
                &pairs,
                object.json().clone(),
                "application/json",
                &target(&resource_type, &object),
            )
        }
        Write::Apply { resource_type, object, field_manager, force } => {
            let target = target(&resource_type, &object);
            let path = path::object(&resource_type, object.namespace(), object.name())?;
            pairs.extend([("fieldManager", field_manager), ("force", force.to_string())]);
            // JSON is YAML, so the media type of apply takes it on every version.
            sent(Method::PATCH, path, &pairs, object.json().clone(), "application/apply-patch+yaml", &target)
        }
        Write::Patch { target, patch_type, patch, field_manager } => {
            pairs.push(("fieldManager", field_manager));
            let media_type = match patch_type {
                PatchType::Merge => "application/merge-patch+json",
                PatchType::Strategic => "application/strategic-merge-patch+json",
                PatchType::Json => "application/json-patch+json",
            };
            let path = path::object(&target.resource_type, target.namespace.as_deref(), &target.name)?;
            sent(Method::PATCH, path, &pairs, patch, media_type, &target)
        }
        Write::Delete { target, query } => {
            let path = path::object(&target.resource_type, target.namespace.as_deref(), &target.name)?;
            sent(Method::DELETE, path, &pairs, body(&delete_options(&query))?, "application/json", &target)
        }
        Write::Evict { namespace, pod } => {
            let pods = ResourceType::new("", "v1", "pods");
            let path = format!("{}/eviction", path::object(&pods, Some(&namespace), &pod)?);
            let eviction = json!({
                "apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"namespace": namespace, "name": pod},
            });
            let target = Target { resource_type: pods, namespace: Some(namespace), name: pod };
            let question = sent(Method::POST, path, &pairs, body(&eviction)?, "application/json", &target);
            Question { repeat: Repeat::Eviction, ..question }
        }
    })
}

fn target(resource_type: &ResourceType, object: &Object) -> Target {
    Target {
        resource_type: resource_type.clone(),
        namespace: object.namespace().map(str::to_owned),
        name: object.name().to_owned(),
    }
}

fn sent(
    method: Method,
    path: String,
    pairs: &[(&str, String)],
    body: Bytes,
    media_type: &'static str,
    target: &Target,
) -> Question {
    Question {
        method,
        body: Some((body, media_type)),
        subject: read::subject(&target.resource_type, target.namespace.as_deref()),
        repeat: Repeat::Write,
        ..Question::get(path + &path::query(pairs))
    }
}

fn body(value: &Value) -> Result<Bytes> {
    let text = serde_json::to_vec(value).map_err(|error| ClusterError::Invalid(error.to_string()))?;
    Ok(text.into())
}

fn delete_options(query: &DeleteQuery) -> Value {
    let propagation = match query.propagation {
        Propagation::Background => "Background",
        Propagation::Foreground => "Foreground",
        Propagation::Orphan => "Orphan",
    };
    let mut options = json!({"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": propagation});
    if let Some(seconds) = query.grace_period_seconds {
        options["gracePeriodSeconds"] = seconds.into();
    }
    if let Some(uid) = &query.uid {
        options["preconditions"] = json!({"uid": uid});
    }
    options
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(write: Write, mode: WriteMode, expected: &Expect) {
        let question = question(write, mode).expect("the test names what can be named");
        let (body, media_type) = question.body.expect("every change has a body");
        let body = String::from_utf8_lossy(&body).into_owned();
        expected.assert_eq(&format!("{} {}\n{media_type}\n{body}", question.method, question.path));
    }

    fn config_map() -> Object {
        Object::from_json(r#"{"metadata":{"namespace":"shop","name":"a"}}"#).expect("this is JSON")
    }

    #[test]
    fn a_dry_run_says_so_to_the_server() {
        let resource_type = ResourceType::new("", "v1", "configmaps");
        check(
            Write::Create { resource_type: resource_type.clone(), object: config_map() },
            WriteMode::DryRun,
            &expect![[r#"
                POST /api/v1/namespaces/shop/configmaps?dryRun=All&fieldManager=porthole
                application/json
                {"metadata":{"namespace":"shop","name":"a"}}"#]],
        );
        check(
            Write::Apply { resource_type, object: config_map(), field_manager: "p&q".into(), force: false },
            WriteMode::DryRun,
            &expect![[r#"
                PATCH /api/v1/namespaces/shop/configmaps/a?dryRun=All&fieldManager=p%26q&force=false
                application/apply-patch+yaml
                {"metadata":{"namespace":"shop","name":"a"}}"#]],
        );
    }

    #[test]
    fn delete_and_evict_carry_their_options() {
        let target = Target {
            resource_type: ResourceType::new("", "v1", "pods"),
            namespace: Some("shop".into()),
            name: "a".into(),
        };
        let query =
            DeleteQuery { grace_period_seconds: Some(0), propagation: Propagation::Orphan, uid: Some("u".into()) };
        check(
            Write::Delete { target, query },
            WriteMode::Commit,
            &expect![[r#"
                DELETE /api/v1/namespaces/shop/pods/a
                application/json
                {"apiVersion":"v1","gracePeriodSeconds":0,"kind":"DeleteOptions","preconditions":{"uid":"u"},"propagationPolicy":"Orphan"}"#]],
        );
        check(
            Write::Evict { namespace: "shop".into(), pod: "a".into() },
            WriteMode::DryRun,
            &expect![[r#"
                POST /api/v1/namespaces/shop/pods/a/eviction?dryRun=All
                application/json
                {"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"a","namespace":"shop"}}"#]],
        );
    }
}
