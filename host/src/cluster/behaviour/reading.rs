//! Discovery, lists, pages, selectors, single objects and watches.

use super::{
    Bench, Broken, ClusterError, ListQuery, NAMESPACE, PatchType, ResourceType, Target, WriteMode, config_map,
    config_maps, holds, next_event, ours, said, same, target,
};
use serde_json::json;

pub(super) async fn check(bench: &Bench<'_>) -> Result<(), Broken> {
    discovery(bench).await?;
    lists(bench).await?;
    pages(bench).await?;
    refusals(bench).await?;
    watches(bench).await
}

async fn discovery(bench: &Bench<'_>) -> Result<(), Broken> {
    let kinds = bench.cluster.api_resources().await.map_err(said("discovery"))?;
    holds("kinds are sorted", || kinds.is_sorted_by_key(|kind| &kind.resource_type).then_some(()))?;
    let found = kinds.iter().find(|kind| kind.resource_type == config_maps());
    holds("ConfigMaps are served as namespaced and preferred", || {
        found.filter(|kind| kind.kind == "ConfigMap" && kind.namespaced && kind.preferred).map(|_| ())
    })
}

async fn lists(bench: &Bench<'_>) -> Result<(), Broken> {
    let with = |labels: &str, fields: &str| ListQuery {
        label_selector: format!("porthole-behaviour{labels}"),
        field_selector: fields.to_owned(),
        ..ours()
    };
    for (labels, fields, wanted) in [
        ("", "", "a b c"),
        (",tier=front", "", "a b"),
        (",tier!=front", "", "c"),
        (",tier in (back, middle)", "", "c"),
        (",tier notin (back)", "", "a b"),
        (",!tier", "", ""),
        ("", "metadata.name=b", "b"),
        ("", "metadata.name!=b", "a c"),
    ] {
        let names = bench.names(&with(labels, fields)).await?.join(" ");
        same(&format!("a list with `{labels}` and `{fields}` is sorted and whole"), &names, &wanted.to_owned())?;
    }
    let preferred = ResourceType { version: String::new(), ..config_maps() };
    let page = bench.cluster.list(&preferred, &ours()).await.map_err(said("listing the preferred version"))?;
    same("an empty version is the preferred one", &page.items.len(), &3)?;
    let everywhere = ListQuery { namespace: None, ..ours() };
    same("a list of all namespaces has ours", &bench.names(&everywhere).await?.len(), &3)?;
    let elsewhere = ListQuery { namespace: Some("porthole-nowhere".to_owned()), ..ours() };
    same("a namespace that is not there is an empty list", &bench.names(&elsewhere).await?.len(), &0)
}

async fn pages(bench: &Bench<'_>) -> Result<(), Broken> {
    let mut query = ListQuery { limit: Some(2), ..ours() };
    let first = bench.cluster.list(&config_maps(), &query).await.map_err(said("listing a page"))?;
    same("the first page is full", &first.items.len(), &2)?;
    holds("the first page says how to go on", || first.continue_token.as_ref().map(|_| ()))?;
    // A page shows the state that the first one showed.
    bench.create(&config_map("bb", "late"), WriteMode::Commit).await.map_err(said("creating between pages"))?;
    query.continue_token = first.continue_token;
    let last = bench.cluster.list(&config_maps(), &query).await.map_err(said("listing the next page"))?;
    let names: Vec<&str> = last.items.iter().map(super::super::Object::name).collect();
    same("the last page holds the rest of the first state", &names, &vec!["c"])?;
    holds("the last page ends the list", || last.continue_token.is_none().then_some(()))?;
    bench.delete("bb", None).await.map_err(said("deleting"))
}

async fn refusals(bench: &Bench<'_>) -> Result<(), Broken> {
    let missing = bench.cluster.get(&target("missing")).await;
    holds("a missing object is not found", || matches!(missing, Err(ClusterError::NotFound { .. })).then_some(()))?;
    let unknown = ResourceType::new("porthole.example", "v1", "unicorns");
    let listed = bench.cluster.list(&unknown, &ListQuery::default()).await;
    holds("an unknown kind is not served", || matches!(listed, Err(ClusterError::NotServed(_))).then_some(()))?;
    let (namespace, name) = (Some(NAMESPACE.to_owned()), "a".to_owned());
    let read = bench.cluster.get(&Target { resource_type: unknown.clone(), namespace, name }).await;
    holds("an object of an unknown kind is not served", || {
        matches!(read, Err(ClusterError::NotServed(_))).then_some(())
    })?;
    let watched = bench.cluster.watch(&unknown, &ListQuery::default()).await;
    // A live watch may find out only when it is read.
    match watched {
        Err(ClusterError::NotServed(_)) => Ok(()),
        Err(error) => Err(format!("a watch of an unknown kind is not served: {error}")),
        Ok(mut events) => next_event(&mut events).await.map_or(Ok(()), |event| Err(format!("a watch said {event}"))),
    }
}

async fn watches(bench: &Bench<'_>) -> Result<(), Broken> {
    let front = ListQuery { label_selector: "porthole-behaviour,tier=front".to_owned(), ..ours() };
    let mut events = bench.cluster.watch(&config_maps(), &front).await.map_err(said("watching"))?;
    let mut first = vec![next_event(&mut events).await?, next_event(&mut events).await?];
    first.sort();
    same("a watch begins with what is there", &first, &vec!["added a".to_owned(), "added b".to_owned()])?;
    let commit = WriteMode::Commit;
    let patch = |value| async move { bench.patch(PatchType::Merge, &value, commit).await.map_err(said("patching")) };
    patch(json!({"data": {"watched": "yes"}})).await?;
    same("a watch says a change", &next_event(&mut events).await?, &"modified b".to_owned())?;
    patch(json!({"metadata": {"labels": {"tier": "back"}}})).await?;
    same("leaving the selection is a deletion", &next_event(&mut events).await?, &"deleted b".to_owned())?;
    patch(json!({"metadata": {"labels": {"tier": "front"}}})).await?;
    same("entering the selection is an addition", &next_event(&mut events).await?, &"added b".to_owned())?;
    bench.delete("b", None).await.map_err(said("deleting"))?;
    same("a watch says a deletion", &next_event(&mut events).await?, &"deleted b".to_owned())?;
    bench.create(&config_map("b", "front"), commit).await.map_err(said("creating"))?;
    same("a watch says an addition", &next_event(&mut events).await?, &"added b".to_owned())
}
