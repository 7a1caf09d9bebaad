//! Creating, applying, patching and deleting, and how each is refused.

use super::{Bench, Broken, ClusterError, Force, PatchType, WriteMode, config_map, holds, said, same, target};
use serde_json::{Value, json};

pub(super) async fn check(bench: &Bench<'_>) -> Result<(), Broken> {
    creating(bench).await?;
    patching(bench).await?;
    applying(bench).await?;
    deleting(bench).await
}

async fn creating(bench: &Bench<'_>) -> Result<(), Broken> {
    let dry = bench.create(&config_map("dry", "x"), WriteMode::DryRun).await.map_err(said("a dry run"))?;
    same("a dry run gives the object back", &dry.name(), &"dry")?;
    let read = bench.cluster.get(&target("dry")).await;
    holds("a dry run keeps nothing", || matches!(read, Err(ClusterError::NotFound { .. })).then_some(()))?;
    match bench.create(&config_map("a", "x"), WriteMode::Commit).await {
        Err(ClusterError::Conflict(status)) => {
            same("a second create says why", &status.reason, &"AlreadyExists".to_owned())?;
            same("a second create is worded alike", &status.message, &"configmaps \"a\" already exists".to_owned())?;
        }
        other => return Err(format!("a second create conflicts: {other:?}")),
    }
    let mut value = config_map("", "generated");
    if let Some(metadata) = value.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("name");
        metadata.insert("generateName".to_owned(), json!("made-"));
    }
    let made = bench.create(&value, WriteMode::Commit).await.map_err(said("creating with generateName"))?;
    holds("a name is generated", || (made.name().starts_with("made-") && made.name().len() > 5).then_some(()))?;
    let stored = bench.get(made.name()).await.map_err(said("reading back"))?;
    for field in ["uid", "creationTimestamp", "resourceVersion"] {
        let text = stored.pointer(&format!("/metadata/{field}")).and_then(Value::as_str);
        holds(&format!("a new object has `metadata.{field}`"), || text.filter(|text| !text.is_empty()).map(|_| ()))?;
    }
    Ok(())
}

async fn patching(bench: &Bench<'_>) -> Result<(), Broken> {
    let before = version(&bench.get("b").await.map_err(said("reading"))?);
    let merge = json!({"data": {"made": null, "merged": "yes"}});
    bench.patch(PatchType::Merge, &merge, WriteMode::DryRun).await.map_err(said("a dry patch"))?;
    let value = bench.get("b").await.map_err(said("reading"))?;
    same("a dry patch keeps nothing", &value["data"], &json!({"made": "first"}))?;
    bench.patch(PatchType::Merge, &merge, WriteMode::Commit).await.map_err(said("a merge patch"))?;
    let json_patch = json!([
        {"op": "test", "path": "/data/merged", "value": "yes"},
        {"op": "add", "path": "/data/added", "value": "yes"},
    ]);
    bench.patch(PatchType::Json, &json_patch, WriteMode::Commit).await.map_err(said("a JSON patch"))?;
    let strategic = json!({"data": {"merged": null, "strategic": "yes"}});
    bench.patch(PatchType::Strategic, &strategic, WriteMode::Commit).await.map_err(said("a strategic patch"))?;
    let value = bench.get("b").await.map_err(said("reading"))?;
    same("patches change what they name", &value["data"], &json!({"added": "yes", "strategic": "yes"}))?;
    holds("a change gives a new version", || (version(&value) != before).then_some(()))?;
    let stale = json!({"metadata": {"resourceVersion": before}, "data": {"late": "yes"}});
    let refused = bench.patch(PatchType::Merge, &stale, WriteMode::Commit).await;
    holds("a patch of an old version conflicts", || matches!(refused, Err(ClusterError::Conflict(_))).then_some(()))
}

async fn applying(bench: &Bench<'_>) -> Result<(), Broken> {
    let red = json!({"color": "red", "size": "big"});
    bench.apply(&red, "one", Force::No).await.map_err(said("applying"))?;
    let again = version(&bench.get("a").await.map_err(said("reading"))?);
    bench.apply(&red, "one", Force::No).await.map_err(said("applying again"))?;
    let value = bench.get("a").await.map_err(said("reading"))?;
    same("applying the same again changes nothing", &version(&value), &again)?;
    same(
        "applying merges with what others made",
        &value["data"],
        &json!({"made": "first", "color": "red", "size": "big"}),
    )?;
    match bench.apply(&json!({"color": "blue"}), "two", Force::No).await {
        Err(ClusterError::Conflict(status)) => same(
            "a conflict names manager and field",
            &status.message,
            &"Apply failed with 1 conflict: conflict with \"one\": .data.color".to_owned(),
        )?,
        other => return Err(format!("applying what another owns conflicts: {other:?}")),
    }
    bench.apply(&json!({"color": "blue"}), "two", Force::Yes).await.map_err(said("applying by force"))?;
    let value = bench.get("a").await.map_err(said("reading"))?;
    same("force takes over", &value["data"]["color"], &json!("blue"))?;
    bench.apply(&json!({}), "one", Force::No).await.map_err(said("applying less"))?;
    let value = bench.get("a").await.map_err(said("reading"))?;
    same("what is left out and not shared goes", &value["data"], &json!({"made": "first", "color": "blue"}))
}

async fn deleting(bench: &Bench<'_>) -> Result<(), Broken> {
    let wrong = bench.delete("c", Some("no-such-uid")).await;
    holds("another uid is a conflict", || matches!(wrong, Err(ClusterError::Conflict(_))).then_some(()))?;
    let value = bench.get("c").await.map_err(said("reading what was not deleted"))?;
    bench.delete("c", value["metadata"]["uid"].as_str()).await.map_err(said("deleting by uid"))?;
    let again = bench.delete("c", None).await;
    holds("deleting twice is not found", || matches!(again, Err(ClusterError::NotFound { .. })).then_some(()))
}

fn version(value: &Value) -> String {
    value["metadata"]["resourceVersion"].as_str().unwrap_or_default().to_owned()
}
