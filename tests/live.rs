//! Live tests: a real API server. Skipped with a word unless `PORTHOLE_TEST_CLUSTER` names the state folder of
//! `tests/cluster/up --nodes 1 --simulated 20 --audit`, with `tests/cluster/demo/apply` applied.

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test harness says what it skips, and fails by panicking"
)]

use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Trial};

#[path = "live/away.rs"]
mod away;
#[path = "live/credentials.rs"]
mod credentials;
#[path = "live/reading.rs"]
mod reading;
#[path = "live/run.rs"]
mod run;

/// A cluster that is up.
#[derive(Clone)]
pub(crate) struct TestCluster {
    /// Its state folder.
    folder: PathBuf,
}

impl TestCluster {
    fn kubeconfig(&self) -> PathBuf {
        self.folder.join("admin.kubeconfig")
    }

    fn script(&self, name: &str) -> std::process::Command {
        let mut command = std::process::Command::new(workspace().join("tests/cluster").join(name));
        command.env("CLUSTER_DIR", &self.folder).env("KUBECONFIG", self.kubeconfig());
        command
    }

    fn kubectl(&self, arguments: &[&str]) -> String {
        let cache = std::env::var("CLUSTER_CACHE")
            .unwrap_or_else(|_| format!("{}/.cache/porthole-cluster", std::env::var("HOME").expect("a home")));
        let mut command = std::process::Command::new(Path::new(&cache).join("bin/kubectl"));
        let output = command.args(arguments).env("KUBECONFIG", self.kubeconfig()).output().expect("kubectl starts");
        assert!(output.status.success(), "kubectl {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Runs the binary in a folder of its own, on this cluster unless the arguments say otherwise.
    fn porthole(&self, folder: &Path, arguments: &[&str]) -> std::process::Output {
        std::process::Command::new(env!("CARGO_BIN_EXE_porthole"))
            .args(arguments)
            .env("KUBECONFIG", self.kubeconfig())
            .env("HOME", folder)
            .env("PORTHOLE_STATE_DIR", folder.join("state"))
            .env("PORTHOLE_CACHE_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"))
            .current_dir(folder)
            .output()
            .expect("porthole starts")
    }

    async fn connect(&self) -> porthole::cluster::live::Live {
        self.connect_with(&self.kubeconfig()).await
    }

    async fn connect_with(&self, kubeconfig: &Path) -> porthole::cluster::live::Live {
        let options = porthole::cluster::live::LiveOptions {
            kubeconfig: Some(kubeconfig.to_owned()),
            ..porthole::cluster::live::LiveOptions::default()
        };
        porthole::cluster::live::Live::connect(options).await.expect("a kubeconfig that can be used")
    }
}

pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the host's folder lies in the workspace").to_owned()
}

fn main() {
    let mut arguments = Arguments::from_args();
    let Some(folder) = std::env::var_os("PORTHOLE_TEST_CLUSTER") else {
        println!("skipped: PORTHOLE_TEST_CLUSTER is not set (see CONTRIBUTING.md)");
        return;
    };
    let cluster = TestCluster { folder: PathBuf::from(folder) };
    // Some of them stop the API server; nothing else may run meanwhile.
    arguments.test_threads = Some(1);
    let test = |name: &str, run: fn(&TestCluster)| {
        let cluster = cluster.clone();
        Trial::test(name, move || {
            run(&cluster);
            Ok(())
        })
    };
    let trials = vec![
        test("reading::it_behaves_as_a_snapshot_does", reading::it_behaves_as_a_snapshot_does),
        test("reading::a_list_is_paged_and_a_foreign_token_has_expired", reading::a_list_is_paged),
        test("reading::the_real_node_answers", reading::the_real_node_answers),
        test("reading::a_blocked_eviction_is_refused", reading::a_blocked_eviction_is_refused),
        test("credentials::rbac_refuses_what_the_role_does_not_allow", credentials::rbac_refuses),
        test("credentials::an_expired_certificate_is_told", credentials::an_expired_certificate_is_told),
        test("run::the_bundled_plugins_check_the_demo", run::the_bundled_plugins_check_the_demo),
        test("run::a_run_lists_each_kind_once", run::a_run_lists_each_kind_once),
        test("away::a_list_goes_on_when_the_server_comes_back", away::a_list_goes_on),
        test("away::a_watch_goes_on_when_the_server_comes_back", away::a_watch_goes_on),
        test("away::a_compacted_token_has_expired", away::a_compacted_token_has_expired),
        test("away::nobody_there_is_exit_code_4", away::nobody_there),
    ];
    libtest_mimic::run(&arguments, trials).exit();
}

/// Runs async work of a test.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime").block_on(work)
}
