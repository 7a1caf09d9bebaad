//! What a list costs a guest's door: 20,000 pods of 3 kB, whole and cut to two fields.
//!
//! `cargo bench -p porthole --bench list`

#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark; the macros make undocumented items")]

use std::fmt::Write as _;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use porthole::capability::{AuditLog, Cut, Gate, GateSettings, Selection, WritePolicy};
use porthole::cluster::Cluster;
use porthole::cluster::snapshot::Snapshot;
use porthole_core::budget::Meter;
use porthole_core::grant::{KubernetesRule, Requests, Verb, Window};
use porthole_core::limits::Limits;
use porthole_core::resource::ResourceType;

/// Pods in the list.
const PODS: usize = 20_000;

fn snapshot() -> Snapshot {
    let folder = tempfile::tempdir().unwrap();
    let padding = "x".repeat(2_700);
    let mut text = String::from(r#"{"apiVersion":"v1","kind":"PodList","items":["#);
    for number in 0..PODS {
        let comma = if number == 0 { "" } else { "," };
        write!(
            text,
            r#"{comma}{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"pod-{number}","namespace":"ns-{}","labels":{{"app":"a"}},"annotations":{{"padding":"{padding}"}}}},"spec":{{"nodeName":"n","containers":[{{"name":"c","image":"i:1"}}]}},"status":{{"phase":"Running"}}}}"#,
            number % 50
        )
        .unwrap();
    }
    text.push_str("]}");
    let file = folder.path().join("pods.json");
    std::fs::write(&file, text).unwrap();
    Snapshot::open(&file).unwrap()
}

fn benchmark(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let cluster: Arc<dyn Cluster> = Arc::new(snapshot());
    let rule = KubernetesRule {
        api_groups: vec![String::new()],
        resources: vec!["pods".to_owned()],
        verbs: vec![Verb::List],
        namespaces: vec!["*".to_owned()],
        names: Vec::new(),
        fields: Vec::new(),
        why: String::new(),
    };
    let rules = Requests { kubernetes: vec![rule], ..Requests::default() };
    let window = Window { requests: rules.clone(), grants: rules };
    let limits = Limits { list_bytes: u64::MAX / 2, ..Limits::for_producer() };
    let list = async |cut: Cut| {
        let gate = Gate::new(GateSettings {
            plugin: "bench".to_owned(),
            target: "global".to_owned(),
            window: window.clone(),
            meter: Meter::new(limits.clone()),
            shared: Arc::clone(&cluster),
            cluster: Arc::clone(&cluster),
            writes: WritePolicy::Send,
            audit: Arc::new(AuditLog::in_memory()),
        });
        let selection = Selection { cut, ..Selection::default() };
        let mut cursor = gate.list(&ResourceType::new("", "v1", "pods"), selection).await.unwrap();
        let mut objects = 0;
        while let Some(page) = gate.next_page(&mut cursor).await.unwrap() {
            objects += page.items.len();
        }
        assert_eq!(objects, PODS);
    };
    let mut group = criterion.benchmark_group("list of 20,000 pods of 3 kB");
    group.sample_size(10).throughput(Throughput::Elements(PODS as u64));
    group.bench_function("whole", |bencher| bencher.to_async(&runtime).iter(async || list(Cut::default()).await));
    let fields = ["metadata.labels", "spec.containers.image"].map(str::to_owned).to_vec();
    let cut = Cut { fields, omit: Vec::new() };
    group.bench_function("two fields", |bencher| bencher.to_async(&runtime).iter(async || list(cut.clone()).await));
    group.finish();
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
