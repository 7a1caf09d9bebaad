//! Small clusters and what every check says of them.

use expect_test::{Expect, expect};
use porthole_sdk::testing::Cluster;
use serde_json::{Value, json};

use crate::WorkloadChecks;
use crate::checks::CHECKS;

/// What one check says of a cluster, an item a line, without the check's name.
fn said(check: &str, cluster: &str) -> String {
    said_with(check, cluster, json!({}))
}

fn said_with(check: &str, cluster: &str, config: Value) -> String {
    let run = Cluster::from_yaml(cluster).config(config).run::<WorkloadChecks>();
    assert_eq!(run.result, Ok(()));
    let mine = format!(" {check} | ");
    run.lines().lines().filter(|line| line.contains(&mine)).map(|line| line.replacen(&mine, " ", 1) + "\n").collect()
}

/// A Deployment `a/web` of two replicas whose pods have this specification.
fn deployment(pod: &str) -> String {
    format!(
        "{{apiVersion: apps/v1, kind: Deployment, metadata: {{name: web, namespace: a}}, spec: {{replicas: 2, \
         template: {{metadata: {{labels: {{app: web}}}}, spec: {{{pod}}}}}}}}}"
    )
}

/// Checks one rule on pods: it fails on the first specification and passes on all others.
fn fails_on_first(check: &str, wrong: &str, message: &str, right: &[&str]) {
    let severity = CHECKS.iter().find(|known| known.name == check).expect("a check").severity.as_str();
    assert_eq!(said(check, &deployment(wrong)), format!("failed a/Deployment/web {severity}: {message}\n"));
    for pod in right {
        assert_eq!(said(check, &deployment(pod)), "passed a/Deployment/web\n", "{pod}");
    }
}

#[test]
fn pods_are_judged_by_their_security_context() {
    fails_on_first(
        "run-as-non-root",
        "containers: [{name: c}, {name: d, securityContext: {runAsUser: 1000}}, {name: e, securityContext: {runAsNonRoot: true, runAsUser: 0}}]",
        "containers `c`, `e` may run as root",
        &[
            "securityContext: {runAsNonRoot: true}, containers: [{name: c}]",
            "securityContext: {runAsUser: 5}, containers: [{name: c}]",
            "containers: [{name: c, securityContext: {runAsNonRoot: true}}]",
        ],
    );
    fails_on_first(
        "privileged-container",
        "initContainers: [{name: i, securityContext: {privileged: true}}], containers: [{name: c}]",
        "container `i` runs privileged",
        &[
            "containers: [{name: c, securityContext: {privileged: false}}]",
            "containers: [{name: c, securityContext: null}]",
        ],
    );
    fails_on_first(
        "privilege-escalation",
        "containers: [{name: c}]",
        "container `c` may gain privileges",
        &["containers: [{name: c, securityContext: {allowPrivilegeEscalation: false}}]"],
    );
    fails_on_first(
        "read-only-root-filesystem",
        "containers: [{name: c}]",
        "container `c` can write to its root file system",
        &["containers: [{name: c, securityContext: {readOnlyRootFilesystem: true}}]"],
    );
    fails_on_first(
        "dangerous-capabilities",
        "containers: [{name: c, securityContext: {capabilities: {add: [NET_ADMIN], drop: [ALL]}}}]",
        "container `c` adds capabilities beyond NET_BIND_SERVICE",
        &["containers: [{name: c, securityContext: {capabilities: {add: [NET_BIND_SERVICE], drop: [all]}}}]"],
    );
    fails_on_first(
        "host-namespaces",
        "hostNetwork: true, hostPID: true, containers: [{name: c}]",
        "its pods use hostNetwork, hostPID",
        &["containers: [{name: c}]"],
    );
}

#[test]
fn pods_are_judged_by_what_they_run_and_mount() {
    fails_on_first(
        "image-tag",
        "containers: [{name: c, image: 'host:5000/app'}, {name: d, image: 'app:latest'}, {name: e, image: 'app:1'}]",
        "containers `c`, `d` use an image without a fixed version",
        &["containers: [{name: c, image: 'host:5000/app:1.2'}, {name: d, image: 'app@sha256:00'}]"],
    );
    fails_on_first(
        "resource-requests",
        "containers: [{name: c, resources: {requests: {cpu: 1}}}]",
        "container `c` requests no CPU or no memory",
        &["containers: [{name: c, resources: {requests: {cpu: 1}, limits: {memory: 1Gi}}}]"],
    );
    fails_on_first(
        "resource-limits",
        "containers: [{name: c, resources: {limits: {memory: 1Gi}}}]",
        "container `c` has no CPU or no memory limit",
        &["containers: [{name: c, resources: {limits: {cpu: 1, memory: 1Gi}}}]"],
    );
    fails_on_first(
        "liveness-probe",
        "containers: [{name: c}]",
        "container `c` has no liveness probe",
        &["containers: [{name: c, livenessProbe: {}}]"],
    );
    fails_on_first(
        "readiness-probe",
        "containers: [{name: c}]",
        "container `c` has no readiness probe",
        &["containers: [{name: c, readinessProbe: {}}]"],
    );
    fails_on_first(
        "secret-in-environment",
        "containers: [{name: c, env: [{name: DB_PASSWORD, value: x}]}, {name: d, env: [{name: X, valueFrom: {secretKeyRef: {name: s}}}]}, {name: e, envFrom: [{secretRef: {name: s}}]}]",
        "containers `c`, `d`, `e` have a secret in their environment",
        &[
            "containers: [{name: c, env: [{name: TOKEN_FILE, value: /run/token}, {name: SECRET_NAME, value: x}, {name: TOKEN_SIZE, value: 16}, {name: A, value: b}]}]",
        ],
    );
    fails_on_first(
        "host-path",
        "volumes: [{name: v, hostPath: {path: /}}], containers: [{name: c}]",
        "its pods mount `/` of the node",
        &["volumes: [{name: v, emptyDir: {}}], containers: [{name: c}]"],
    );
    fails_on_first(
        "docker-socket",
        "volumes: [{name: v, hostPath: {path: /var/run/docker.sock}}], containers: [{name: c}]",
        "its pods mount the container runtime's socket `/var/run/docker.sock`",
        &["volumes: [{name: v, hostPath: {path: /etc}}], containers: [{name: c}]"],
    );
    fails_on_first(
        "default-service-account",
        "containers: [{name: c}]",
        "its pods use the default ServiceAccount",
        &["serviceAccountName: own, containers: [{name: c}]"],
    );
    fails_on_first(
        "token-mount",
        "containers: [{name: c}]",
        "the token of its ServiceAccount is mounted",
        &["automountServiceAccountToken: false, containers: [{name: c}]"],
    );
}

#[test]
fn jobs_need_no_probes_and_no_replicas() {
    let job = "{apiVersion: batch/v1, kind: CronJob, metadata: {name: report, namespace: a}, spec: {jobTemplate: {spec: \
        {template: {spec: {containers: [{name: c}]}}}}}}";
    for check in ["liveness-probe", "readiness-probe", "replicas", "anti-affinity", "pod-disruption-budget"] {
        assert_eq!(said(check, job), "", "{check}");
    }
    assert_eq!(said("run-as-non-root", job), "failed a/CronJob/report high: container `c` may run as root\n");
}

#[test]
fn replicas_are_kept_apart_and_protected() {
    fails_on_first(
        "anti-affinity",
        "containers: []",
        "its replicas may all run on one node",
        &[
            "topologySpreadConstraints: [{}]",
            "affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{}]}}",
        ],
    );
    let budget = |app: &str| {
        format!(
            "{}\n---\n{{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {{name: b, namespace: a}}, spec: {{selector: {{matchLabels: {{app: {app}}}}}}}}}",
            deployment("")
        )
    };
    assert_eq!(said("pod-disruption-budget", &budget("web")), "passed a/Deployment/web\n");
    assert_eq!(
        said("pod-disruption-budget", &budget("db")),
        "failed a/Deployment/web low: no PodDisruptionBudget selects its pods\n"
    );
    let single = deployment("").replace("replicas: 2", "replicas: 1");
    assert_eq!(said("replicas", &single), "failed a/Deployment/web low: it has a single replica\n");
    assert_eq!(said("replicas", &deployment("")), "passed a/Deployment/web\n");
    assert_eq!(
        said("replicas", &deployment("").replace("replicas: 2", "replicas: 0")),
        "skipped a/Deployment/web: it is scaled to zero\n"
    );
}

#[test]
fn policies_and_services_select_by_labels() {
    let policy = |selector: &str| {
        format!(
            "{}\n---\n{{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {{name: p, namespace: a}}, spec: {{podSelector: {selector}}}}}",
            deployment("")
        )
    };
    for selector in ["{}", "{matchLabels: {app: web}}", "{matchExpressions: [{key: app, operator: In, values: [web]}]}"]
    {
        assert_eq!(said("network-policy", &policy(selector)), "passed a/Deployment/web\n", "{selector}");
    }
    for selector in ["{matchLabels: {app: db}}", "{matchExpressions: [{key: app, operator: NoSuchThing}]}"] {
        assert_eq!(
            said("network-policy", &policy(selector)),
            "failed a/Deployment/web medium: no NetworkPolicy selects its pods\n"
        );
    }
    assert_eq!(
        said("network-policy", &deployment("hostNetwork: true")),
        "skipped a/Deployment/web: policies do not hold for pods in the node's network\n"
    );
    let service = |spec: &str| {
        format!(
            "{}\n---\n{{apiVersion: v1, kind: Service, metadata: {{name: s, namespace: a}}, spec: {spec}}}",
            deployment("")
        )
    };
    assert_eq!(said("dangling-service", &service("{selector: {app: web}}")), "passed a/Service/s\n");
    assert_eq!(
        said("dangling-service", &service("{selector: {app: x}}")),
        "failed a/Service/s medium: its selector {\"app\":\"x\"} matches no pod and no pod template\n"
    );
    assert_eq!(said("dangling-service", &service("{type: ExternalName, externalName: x.example}")), "");
}

#[test]
fn roles_and_config_maps_are_judged() {
    let roles = "
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: all}, rules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: 'system:x'}, rules: [{resources: ['*'], verbs: ['*']}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: debug, namespace: a}, rules: [{apiGroups: [''], resources: [pods/exec], verbs: [create]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: read, namespace: a}, rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]}
";
    expect![[r#"
        passed a/Role/debug
        passed a/Role/read
        failed ClusterRole/all high: a rule allows * on *
        skipped ClusterRole/system:x: Kubernetes' own role
    "#]]
    .assert_eq(&said("wildcard-rbac", roles));
    expect![[r#"
        failed a/Role/debug high: it allows running programs in pods
        passed a/Role/read
        failed ClusterRole/all high: it allows running programs in pods
        skipped ClusterRole/system:x: Kubernetes' own role
    "#]]
    .assert_eq(&said("pods-exec", roles));
    let map =
        |data: &str| format!("{{apiVersion: v1, kind: ConfigMap, metadata: {{name: m, namespace: a}}, data: {data}}}");
    assert_eq!(
        said("secret-in-config-map", &map("{api-token: abcdef, port: 1, key: '-----BEGIN PRIVATE KEY-----'}")),
        "failed a/ConfigMap/m high: `api-token`, `key` look like secrets\n"
    );
    assert_eq!(
        said("secret-in-config-map", &map("{token-path: /run/token, password: 'true', a: b}")),
        "passed a/ConfigMap/m\n"
    );
}

#[test]
fn what_a_controller_made_is_judged_once() {
    let cluster = format!(
        "{}
---
{{apiVersion: apps/v1, kind: ReplicaSet, metadata: {{name: web-1, namespace: a, ownerReferences: [{{kind: Deployment, name: web, controller: true}}]}}, spec: {{template: {{spec: {{}}}}}}}}
---
{{apiVersion: v1, kind: Pod, metadata: {{name: web-1-x, namespace: a, ownerReferences: [{{kind: ReplicaSet, name: web-1, controller: true}}]}}, spec: {{containers: [{{name: c}}]}}}}
---
{{apiVersion: v1, kind: Pod, metadata: {{name: etcd-n1, namespace: a, ownerReferences: [{{kind: Node, name: n1, controller: true}}]}}, spec: {{containers: [{{name: c}}]}}}}
---
{{apiVersion: v1, kind: Pod, metadata: {{name: gone-1, namespace: a, ownerReferences: [{{kind: CloneSet, name: gone, controller: true}}]}}, spec: {{containers: [{{name: c}}]}}}}
---
{{apiVersion: v1, kind: Pod, metadata: {{name: gone-2, namespace: a, ownerReferences: [{{kind: CloneSet, name: gone, controller: true}}]}}, spec: {{containers: [{{name: c}}]}}}}",
        deployment("containers: [{name: c}]")
    );
    expect![[r#"
        failed a/CloneSet/gone medium: the token of its ServiceAccount is mounted
        failed a/Deployment/web medium: the token of its ServiceAccount is mounted
        failed a/Pod/etcd-n1 medium: the token of its ServiceAccount is mounted
    "#]]
    .assert_eq(&said("token-mount", &cluster));
}

fn check_settings(config: Value, expected: &Expect) {
    expected.assert_eq(&said_with("token-mount", &deployment("containers: [{name: c}]"), config));
}

#[test]
fn severities_and_exemptions_are_the_operators() {
    check_settings(
        json!({"checks": {"token-mount": "critical"}}),
        &expect![[r#"
        failed a/Deployment/web critical: the token of its ServiceAccount is mounted
    "#]],
    );
    check_settings(json!({"checks": {"token-mount": "off"}}), &expect![""]);
    check_settings(
        json!({"exemptions": [{"namespace": "a*", "checks": ["token-mount"], "reason": "it asks the API"}]}),
        &expect![[r#"
        skipped a/Deployment/web: exempt (it asks the API): the token of its ServiceAccount is mounted
    "#]],
    );
    check_settings(
        json!({"exemptions": [{"name": "db", "reason": "another one"}]}),
        &expect![[r#"
        failed a/Deployment/web medium: the token of its ServiceAccount is mounted
    "#]],
    );
    let run =
        Cluster::from_yaml(&deployment("")).config(json!({"checks": {"nonsense": "low"}})).run::<WorkloadChecks>();
    assert!(run.result.expect_err("there is none").to_string().starts_with("there is no check `nonsense`"));
}

#[test]
fn what_may_not_be_read_is_unknown_and_never_passed() {
    let cluster = Cluster::from_yaml(&deployment("containers: [{name: c}]")).deny("list", "apps", "deployments");
    let run = cluster.run::<WorkloadChecks>();
    assert!(run.items.iter().all(|item| item.status == "unknown"), "{}", run.lines());
    assert!(run.lines().contains(
        "unknown token-mount | Deployments: cannot be decided without Deployments: may not list `deployments`: grant `list` on `deployments`"
    ));
}

#[test]
fn what_could_not_be_looked_up_is_not_missing() {
    for (check, group, kind) in [
        ("network-policy", "networking.k8s.io", "networkpolicies"),
        ("pod-disruption-budget", "policy", "poddisruptionbudgets"),
    ] {
        let cluster = format!(
            "{}\n---\n{{apiVersion: {group}/v1, kind: {}, metadata: {{name: x, namespace: a}}, spec: {{}}}}",
            deployment(""),
            if kind == "networkpolicies" { "NetworkPolicy" } else { "PodDisruptionBudget" }
        );
        let run = Cluster::from_yaml(&cluster).deny("list", group, kind).run::<WorkloadChecks>();
        let mine: Vec<_> = run.items.iter().filter(|item| item.path[0] == check).collect();
        assert!(mine.len() == 1 && mine[0].status == "unknown", "{check}: {}", run.lines());
    }
}
