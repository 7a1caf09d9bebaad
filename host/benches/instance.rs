//! What a call costs: a fresh instance through the host against bare wasmtime with the same configuration.
//!
//! The ratio of the two medians is what counts (at most 1.3): `cargo bench -p porthole --bench instance`.

#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark; the macros make undocumented items")]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use porthole::capability::{AuditLog, Gate, GateSettings, WritePolicy};
use porthole::cluster::Cluster;
use porthole::cluster::snapshot::Snapshot;
use porthole::engine::{BoundedOutput, Bounds, Engine, EngineOptions};
use porthole::imports::{
    CallContext, GuestSettings, LogLine, Placement, ProgressReport, ReportError, ReportFile, ReportedItem, Reporter,
};
use porthole::plugin::{CallOutcome, Loader};
use porthole_bindings::ProducerPluginPre;
use porthole_bindings::porthole::plugin::run_context;
use porthole_core::budget::Meter;
use porthole_core::grant::Window;
use porthole_core::limits::Limits;
use wasmtime::Store;
use wasmtime::component::{HasSelf, Linker, ResourceTable};
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};

#[path = "../../tests/support/guests.rs"]
mod guests;

struct Nowhere;

impl Reporter for Nowhere {
    fn log(&self, _line: LogLine) {}
    fn progress(&self, _report: ProgressReport) {}
    fn items(&self, _items: Vec<ReportedItem>) -> Result<(), ReportError> {
        Ok(())
    }
    fn create_file(&self, _: Placement, _: &str, _: &str) -> Result<Box<dyn ReportFile>, ReportError> {
        Err(ReportError::Storage("nowhere".to_owned()))
    }
}

/// The least that the component needs.
struct Bare {
    wasi: WasiCtx,
    table: ResourceTable,
}

impl WasiView for Bare {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

impl run_context::Host for Bare {
    async fn get(&mut self) -> wasmtime::Result<run_context::Context> {
        Ok(run_context::Context {
            run_id: String::new(),
            node_name: None,
            time_left_milliseconds: 0,
            attempt: 1,
            idempotency_key: String::new(),
            dry_run: false,
        })
    }
}

fn settings(cluster: &Arc<dyn Cluster>, audit: &Arc<AuditLog>, limits: &Limits) -> GuestSettings {
    let gate = Gate::new(GateSettings {
        plugin: "idle".to_owned(),
        target: "global".to_owned(),
        window: Window::default(),
        meter: Meter::new(limits.clone()),
        shared: Arc::clone(cluster),
        cluster: Arc::clone(cluster),
        writes: WritePolicy::Send,
        audit: Arc::clone(audit),
    });
    GuestSettings {
        gate: Arc::new(gate),
        reporter: Arc::new(Nowhere),
        config: "{}".to_owned(),
        context: CallContext {
            run_id: String::new(),
            node_name: None,
            time_left: limits.timeout,
            attempt: 1,
            idempotency_key: String::new(),
            dry_run: false,
        },
        bounds: Bounds::new(usize::try_from(limits.memory).unwrap(), limits.cpu, limits.timeout),
        resources: 10_000,
        stdout: BoundedOutput::new(1 << 20),
        stderr: BoundedOutput::new(1 << 20),
        environment: Vec::new(),
        arguments: vec!["idle".to_owned()],
        folders: Vec::new(),
    }
}

fn benchmark(criterion: &mut Criterion) {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let bytes: Arc<[u8]> = std::fs::read(guests::build(workspace).join("idle.wasm")).unwrap().into();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let engine = Engine::start(EngineOptions::default()).unwrap();
    let mut group = criterion.benchmark_group("fresh instance and call");
    group.measurement_time(Duration::from_secs(5));

    let component = runtime.block_on(engine.load("", Arc::clone(&bytes))).unwrap();
    let mut linker = Linker::<Bare>::new(engine.wasmtime());
    wasmtime_wasi::p2::add_to_linker_async(&mut linker).unwrap();
    run_context::add_to_linker::<_, HasSelf<Bare>>(&mut linker, |bare| bare).unwrap();
    let pre = ProducerPluginPre::new(linker.instantiate_pre(&component).unwrap()).unwrap();
    group.bench_function("bare wasmtime", |bencher| {
        bencher.to_async(&runtime).iter(async || {
            let bare = Bare { wasi: WasiCtx::builder().build(), table: ResourceTable::new() };
            let mut store = Store::new(engine.wasmtime(), bare);
            store.set_epoch_deadline(u64::MAX / 2);
            let plugin = pre.instantiate_async(&mut store).await.unwrap();
            plugin.porthole_plugin_producer().call_produce(&mut store).await.unwrap().unwrap();
        });
    });

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pod.json");
    std::fs::write(&file, r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"b"}}"#).unwrap();
    let cluster: Arc<dyn Cluster> = Arc::new(Snapshot::open(&file).unwrap());
    let audit = Arc::new(AuditLog::in_memory());
    let loader = Loader::new(engine.clone()).unwrap();
    let plugin = runtime.block_on(loader.producer("", bytes)).unwrap();
    let limits = Limits::for_producer();
    group.bench_function("porthole", |bencher| {
        bencher.to_async(&runtime).iter(async || {
            let report = plugin.produce(settings(&cluster, &audit, &limits)).await;
            assert_eq!(report.outcome, CallOutcome::Done);
        });
    });
    group.finish();
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
