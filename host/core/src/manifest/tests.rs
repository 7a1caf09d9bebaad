//! Manifests in every form, sound and broken.

use expect_test::{Expect, expect};

use super::*;

/// Shows everything that was read, or the chain of errors and the hint.
fn shown(text: &str) -> String {
    match read(text) {
        Ok(manifests) => manifests.iter().map(|manifest| format!("{manifest:#?}\n")).collect(),
        Err(error) => shown_error(&error),
    }
}

fn shown_error(error: &ManifestError) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        text.push_str(&format!("\ncaused by: {error}"));
        source = error.source();
    }
    if let Some(hint) = error.hint() {
        text.push_str(&format!("\nhint: {hint}"));
    }
    text
}

#[expect(clippy::needless_pass_by_value, reason = "tests pass literals")]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&shown(text));
}

/// Shows the names, the result formats and the notices alone.
#[expect(clippy::needless_pass_by_value, reason = "tests pass literals")]
fn check_short(text: &str, expected: Expect) {
    let shown = match read(text) {
        Err(error) => shown_error(&error),
        Ok(manifests) => manifests
            .iter()
            .map(|manifest| {
                let producer = manifest.producer.as_ref();
                let format = producer.map_or("no producer", |producer| producer.result_format.name());
                let driver = producer.map_or("", |producer| producer.driver.name());
                format!("{:?} {} {driver} {format}\n{}", manifest.format, manifest.name, manifest.notices.join("\n"))
            })
            .collect::<Vec<_>>()
            .join("\n"),
    };
    expected.assert_eq(&shown);
}

const NATIVE: &str = "
apiVersion: porthole.dev/v1alpha1
kind: Plugin
metadata: {name: checks, version: 0.1.0, description: d, sourceUrl: https://example.com, license: Apache-2.0}
spec:
  producer:
    driver: daemonset
    resultFormat: junit
    order: -1
    timeout: 5m
    nodeSelector: {kubernetes.io/os: linux}
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms: [{matchExpressions: [{key: cores, operator: Gt, values: ['4']}]}]
    tolerations: [{key: gpu, operator: Exists, effect: NoExecute}]
    args: [--all]
    env: [{name: LEVEL, value: debug}]
  hooks: [{entryPoint: after-deploy}]
  config: {schema: {properties: {a: {default: 1}}}}
  requests:
    kubernetes: [{apiGroups: [apps], resources: [deployments], verbs: [list], namespaces: ['*'], why: reads templates}]
  limits: {memory: 64Mi}
  component: ./checks.wasm
  configFiles: {rules.yaml: 'a: 1'}
";

#[test]
fn portholes_own_form_is_read_whole() {
    check(
        NATIVE,
        expect![[r#"
            PluginManifest {
                name: "checks",
                version: "0.1.0",
                description: "d",
                source_url: "https://example.com",
                license: "Apache-2.0",
                producer: Some(
                    Producer {
                        driver: DaemonSet,
                        result_format: JUnit,
                        result_files: [],
                        order: -1,
                        timeout: Some(
                            300s,
                        ),
                        skip_cleanup: false,
                        placement: Placement {
                            node_selector: {
                                "kubernetes.io/os": "linux",
                            },
                            node_affinity: Some(
                                NodeAffinity {
                                    terms: [
                                        NodeSelectorTerm {
                                            match_expressions: [
                                                NodeRequirement {
                                                    key: "cores",
                                                    operator: Gt,
                                                    values: [
                                                        "4",
                                                    ],
                                                },
                                            ],
                                            match_fields: [],
                                        },
                                    ],
                                },
                            ),
                            tolerations: [
                                Toleration {
                                    key: "gpu",
                                    operator: Exists,
                                    value: "",
                                    effect: Some(
                                        NoExecute,
                                    ),
                                },
                            ],
                        },
                        args: [
                            "--all",
                        ],
                        env: [
                            (
                                "LEVEL",
                                "debug",
                            ),
                        ],
                    },
                ),
                hooks: [
                    HookDocument(
                        Object {
                            "entryPoint": String("after-deploy"),
                        },
                    ),
                ],
                cni_model: None,
                config: ConfigSpec {
                    schema: Some(
                        Object {
                            "properties": Object {
                                "a": Object {
                                    "default": Number(1),
                                },
                            },
                        },
                    ),
                },
                requests: Requests {
                    kubernetes: [
                        KubernetesRule {
                            api_groups: [
                                "apps",
                            ],
                            resources: [
                                "deployments",
                            ],
                            verbs: [
                                List,
                            ],
                            namespaces: [
                                "*",
                            ],
                            names: [],
                            fields: [],
                            why: "reads templates",
                        },
                    ],
                    http: [],
                    filesystem: [],
                    environment: [],
                    exec: [],
                    collect: None,
                },
                limits: PluginLimits {
                    memory: Some(
                        Bytes(
                            67108864,
                        ),
                    ),
                    cpu: None,
                    timeout: None,
                    host_calls: None,
                    api_requests_per_second: None,
                    list_bytes: None,
                    list_objects: None,
                    watches: None,
                    output_file: None,
                    output: None,
                    files: None,
                    items: None,
                    item_details: None,
                    log_lines: None,
                    log_line: None,
                    resources: None,
                    http_body: None,
                },
                component: Some(
                    "./checks.wasm",
                ),
                config_files: {
                    "rules.yaml": "a: 1",
                },
                format: Porthole,
                notices: [],
            }
        "#]],
    );
}

#[test]
fn results_are_items_unless_porthole_is_told_otherwise() {
    check_short(
        "{apiVersion: porthole.dev/v1alpha1, kind: Plugin, metadata: {name: a}, spec: {producer: {driver: Job}}}",
        expect![[r#"
            Porthole a Job items
        "#]],
    );
}

#[test]
fn unknown_keys_list_the_known_ones_and_the_nearest() {
    check(
        &NATIVE.replace("resultFormat", "resultFromat"),
        expect![[r#"
        unknown key `spec.producer.resultFromat` (known keys here: driver, resultFormat, resultFiles, order, timeout, skipCleanup, nodeSelector, nodeAffinity, tolerations, args, env)
        hint: did you mean `resultFormat`?"#]],
    );
    check(
        &NATIVE.replace("configFiles", "config-map"),
        expect![
            "unknown key `spec.config-map` (known keys here: producer, hooks, cniModel, config, requests, limits, component, configFiles)"
        ],
    );
}

#[test]
fn required_keys_say_what_they_are_for() {
    check("apiVersion: porthole.dev/v1alpha1", expect!["the key `kind` is missing: it must be `Plugin`"]);
    check(
        "{apiVersion: porthole.dev/v1alpha1, kind: Plugin, metadata: {name: a}, spec: {}}",
        expect!["the key `spec.producer` is missing: a plugin is a `producer`, has `hooks`, or is a `cniModel`"],
    );
    check(
        &NATIVE.replace("    driver: daemonset\n", ""),
        expect![
            "the key `spec.producer.driver` is missing: it is `Job` (once per cluster) or `DaemonSet` (once per node)"
        ],
    );
    check(&NATIVE.replace("name: checks, ", ""), expect!["the key `metadata.name` is missing: it names the plugin"]);
}

#[test]
fn values_that_cannot_be_used_say_what_could() {
    check(
        &NATIVE.replace("v1alpha1", "v2"),
        expect!["`apiVersion` is `porthole.dev/v2`: this host reads `porthole.dev/v1alpha1`"],
    );
    check(
        &NATIVE.replace("daemonset", "ReplicaSet"),
        expect![
            "`spec.producer.driver` is `ReplicaSet`: it must be `Job` (once per cluster) or `DaemonSet` (once per node)"
        ],
    );
    check(
        &NATIVE.replace("5m", "5 minutes"),
        expect![
            "`spec.producer.timeout` is `5 minutes`: it must be a length of time above zero, such as `90s`, `5m` or `1h30m`"
        ],
    );
    check(
        &NATIVE.replace("order: -1", "order: first"),
        expect!["`spec.producer.order` is a text, and must be an integer"],
    );
    check(
        &NATIVE.replace("name: checks", "name: Checks"),
        expect![
            "`metadata.name` is `Checks`: a plugin's name has only lower-case letters, digits, `-` and `.`, and begins and ends with a letter or digit"
        ],
    );
    check(
        &NATIVE.replace("name: checks", "name: sonobuoy"),
        expect!["`metadata.name` is `sonobuoy`: this name is reserved"],
    );
    check(
        &NATIVE.replace("operator: Gt", "operator: gt"),
        expect![
            "`spec.producer.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator` is `gt`: it must be one of In, NotIn, Exists, DoesNotExist, Gt, Lt"
        ],
    );
    check(
        &NATIVE.replace("['4']", "['4', '5']"),
        expect![
            "`spec.producer.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator` is `Gt`: `In` and `NotIn` need `values`, `Exists` and `DoesNotExist` have none, `Gt` and `Lt` have exactly one integer (in quotes)"
        ],
    );
    check(
        &NATIVE.replace("{default: 1}", "{type: strnig}"),
        expect![[
            r#"`spec.config.schema`: the schema in the plugin's manifest is broken: "strnig" is not valid under any of the schemas listed in the 'anyOf' keyword (at `/properties/a/type`)"#
        ]],
    );
    check(
        &NATIVE.replace("./checks.wasm", "registry.example/checks:v1"),
        expect![[r#"
        `spec.component` is `registry.example/checks:v1`, which is a container image; Porthole runs WebAssembly components (`.wasm` files)
        hint: build the plugin as a component and set `spec.component` to its path, for instance `./plugin.wasm`; a program in Rust, Go, C or Python that writes its results to a folder needs no change but the target"#]],
    );
    check(
        &NATIVE.replace("rules.yaml: 'a: 1'", "rules.yaml: 'a: ['"),
        expect![
            "`spec.configFiles.rules.yaml`: line 2, column 1: did not find expected node content, while parsing a flow node"
        ],
    );
    check(
        &NATIVE.replace("verbs: [list]", "verbs: [look]"),
        expect![
            "`spec.requests`: unknown variant `look`, expected one of `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`, `*`"
        ],
    );
    check(
        &NATIVE.replace("64Mi", "many"),
        expect![
            "`spec.limits`: `many` is not an amount of bytes; write a whole number with or without a unit, such as `64Mi`, `1Gi`, `500M` or `1048576` (units: k, M, G, T, Ki, Mi, Gi, Ti)"
        ],
    );
    check(
        &NATIVE.replace("{memory: 64Mi}", "{memroy: 64Mi}"),
        expect![
            "`spec.limits`: unknown field `memroy`, expected one of `memory`, `cpu`, `timeout`, `hostCalls`, `apiRequestsPerSecond`, `listBytes`, `listObjects`, `watches`, `outputFile`, `output`, `files`, `items`, `itemDetails`, `logLines`, `logLine`, `resources`, `httpBody`"
        ],
    );
    check(
        &NATIVE.replace("rules.yaml", "../rules.yaml"),
        expect!["`spec.configFiles` is `../rules.yaml`: a file's name has only letters, digits, `-`, `_` and `.`"],
    );
}

const SONOBUOY: &str = "
sonobuoy-config:
  driver: DaemonSet
  plugin-name: systemd
  result-format: e2e
  result-files: [junit.xml]
  description: d
  source-url: https://example.com
  order: 3
  skip-cleanup: true
  result-type: systemd
spec:
  name: systemd
  image: ./systemd.wasm
  command: [/run.sh, --fast]
  args: [all]
  env:
  - {name: A, value: '1'}
  - {name: NODE_NAME, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}
  volumeMounts: []
extra-volumes: []
config-map: {a.yml: 'x: 1', run.sh: echo}
";

#[test]
fn sonobuoys_form_is_read_and_unknown_keys_are_ignored() {
    check(
        SONOBUOY,
        expect![[r#"
            PluginManifest {
                name: "systemd",
                version: "",
                description: "d",
                source_url: "https://example.com",
                license: "",
                producer: Some(
                    Producer {
                        driver: DaemonSet,
                        result_format: JUnit,
                        result_files: [
                            "junit.xml",
                        ],
                        order: 3,
                        timeout: None,
                        skip_cleanup: true,
                        placement: Placement {
                            node_selector: {},
                            node_affinity: None,
                            tolerations: [
                                Toleration {
                                    key: "",
                                    operator: Exists,
                                    value: "",
                                    effect: None,
                                },
                            ],
                        },
                        args: [
                            "--fast",
                            "all",
                        ],
                        env: [
                            (
                                "A",
                                "1",
                            ),
                        ],
                    },
                ),
                hooks: [],
                cni_model: None,
                config: ConfigSpec {
                    schema: None,
                },
                requests: Requests {
                    kubernetes: [],
                    http: [],
                    filesystem: [],
                    environment: [],
                    exec: [],
                    collect: None,
                },
                limits: PluginLimits {
                    memory: None,
                    cpu: None,
                    timeout: None,
                    host_calls: None,
                    api_requests_per_second: None,
                    list_bytes: None,
                    list_objects: None,
                    watches: None,
                    output_file: None,
                    output: None,
                    files: None,
                    items: None,
                    item_details: None,
                    log_lines: None,
                    log_line: None,
                    resources: None,
                    http_body: None,
                },
                component: Some(
                    "./systemd.wasm",
                ),
                config_files: {
                    "a.yml": "x: 1",
                    "run.sh": "echo",
                },
                format: Sonobuoy,
                notices: [
                    "`NODE_NAME` is not set: `valueFrom` has no meaning without a pod (`NODE_NAME` is always set per node)",
                    "`extra-volumes` is ignored: a plugin sees only the files that it was granted",
                ],
            }
        "#]],
    );
}

#[test]
fn a_pod_spec_replaces_sonobuoys_toleration_of_everything() {
    let manifest = read_one(&format!(
        "{SONOBUOY}\npodSpec: {{nodeSelector: {{zone: a}}, affinity: {{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: []}}}}}}, tolerations: [{{operator: Exists, effect: NoSchedule}}]}}"
    ))
    .expect("a sound manifest");
    expect![[r#"
        Placement {
            node_selector: {
                "zone": "a",
            },
            node_affinity: Some(
                NodeAffinity {
                    terms: [],
                },
            ),
            tolerations: [
                Toleration {
                    key: "",
                    operator: Exists,
                    value: "",
                    effect: Some(
                        NoSchedule,
                    ),
                },
            ],
        }"#]]
    .assert_eq(&format!("{:#?}", manifest.producer.expect("a producer").placement));
}

#[test]
fn a_container_image_is_refused_with_what_to_do() {
    check(
        &SONOBUOY.replace("./systemd.wasm", "sonobuoy/systemd-logs:v0.4"),
        expect![[r#"
        `spec.image` is `sonobuoy/systemd-logs:v0.4`, which is a container image; Porthole runs WebAssembly components (`.wasm` files)
        hint: build the plugin as a component and set `spec.image` to its path, for instance `./plugin.wasm`; a program in Rust, Go, C or Python that writes its results to a folder needs no change but the target"#]],
    );
    check(
        &SONOBUOY.replace("./systemd.wasm", "https://example.com/a.wasm"),
        expect![
            "`spec.image` is `https://example.com/a.wasm`: it must be a path on this machine; fetch the file first"
        ],
    );
}

#[test]
fn sonobuoys_form_names_what_is_missing_or_wrong() {
    check(
        "sonobuoy-config: {driver: Job, plugin-name: a}",
        expect!["the key `spec` is missing: its `image` names the component"],
    );
    check(
        "sonobuoy-config: {plugin-name: a}\nspec: {image: a.wasm}",
        expect![
            "the key `sonobuoy-config.driver` is missing: it is `Job` (once per cluster) or `DaemonSet` (once per node)"
        ],
    );
    check(
        &SONOBUOY.replace("DaemonSet", "Deployment"),
        expect![
            "`sonobuoy-config.driver` is `Deployment`: it must be `Job` (once per cluster) or `DaemonSet` (once per node)"
        ],
    );
    check(
        &SONOBUOY.replace("'x: 1'", "'x: ['"),
        expect!["`config-map.a.yml`: line 2, column 1: did not find expected node content, while parsing a flow node"],
    );
    check(&SONOBUOY.replace("value: '1'", "value: 1"), expect!["`spec.env[0].value` is a number, and must be a text"]);
}

#[test]
fn an_unknown_result_format_is_raw_as_in_sonobuoy() {
    check_short(
        &SONOBUOY.replace("e2e", "tap"),
        expect![[r#"
        Sonobuoy systemd DaemonSet raw
        result format `tap` is not known; the results are kept raw, as Sonobuoy does
        `NODE_NAME` is not set: `valueFrom` has no meaning without a pod (`NODE_NAME` is always set per node)
        `extra-volumes` is ignored: a plugin sees only the files that it was granted"#]],
    );
}

#[test]
fn the_flat_form_is_read() {
    check_short(
        "{name: old, driver: Job, resultType: junit, spec: {image: old.wasm}}",
        expect![[r#"
        Flat old Job junit
    "#]],
    );
    check_short(
        "{name: old, driver: job, resultType: old, spec: {image: old.wasm}}",
        expect![[r#"
        Flat old Job raw
    "#]],
    );
    check_short(
        "{name: old, driver: job, resultType: other, spec: {image: old.wasm}}",
        expect![[r#"
        Flat old Job raw
        `resultType: other` is not used: results are stored under the plugin's name"#]],
    );
    check_short(
        "{name: old, driver: job, resultType: e2e, spec: {image: 'old:v1'}}",
        expect![[r#"
        `spec.image` is `old:v1`, which is a container image; Porthole runs WebAssembly components (`.wasm` files)
        hint: build the plugin as a component and set `spec.image` to its path, for instance `./plugin.wasm`; a program in Rust, Go, C or Python that writes its results to a folder needs no change but the target"#]],
    );
}

#[test]
fn kops_plugins_are_kept_as_hooks() {
    check(
        "{name: CustomTags, type: plugin, behavior: sync-enforce, component: tags.wasm}",
        expect![[r#"
            PluginManifest {
                name: "customtags",
                version: "",
                description: "",
                source_url: "",
                license: "",
                producer: None,
                hooks: [
                    HookDocument(
                        Object {
                            "behavior": String("sync-enforce"),
                            "component": String("tags.wasm"),
                            "name": String("CustomTags"),
                            "type": String("plugin"),
                        },
                    ),
                ],
                cni_model: None,
                config: ConfigSpec {
                    schema: None,
                },
                requests: Requests {
                    kubernetes: [],
                    http: [],
                    filesystem: [],
                    environment: [],
                    exec: [],
                    collect: None,
                },
                limits: PluginLimits {
                    memory: None,
                    cpu: None,
                    timeout: None,
                    host_calls: None,
                    api_requests_per_second: None,
                    list_bytes: None,
                    list_objects: None,
                    watches: None,
                    output_file: None,
                    output: None,
                    files: None,
                    items: None,
                    item_details: None,
                    log_lines: None,
                    log_line: None,
                    resources: None,
                    http_body: None,
                },
                component: Some(
                    "tags.wasm",
                ),
                config_files: {},
                format: Kops,
                notices: [
                    "`CustomTags` is a kops plugin: it runs as a hook, never as part of `porthole run`",
                ],
            }
        "#]],
    );
    check_short(
        "{name: ex1, type: shell-exec, behavior: sync-enforce, command: 'sudo apt-get update -y'}",
        expect![[r#"
        Kops ex1  no producer
        `ex1` is a kops plugin: it runs as a hook, never as part of `porthole run`"#]],
    );
    check_short(
        "{name: ex1, type: shell-exec, behavior: sync-enforce}",
        expect!["the key `command` is missing: a `shell-exec` plugin runs either a `command` or a `script`"],
    );
    check_short(
        "{name: ex1, type: shell-exec, behavior: sync, command: a}",
        expect!["`behavior` is `sync`: it must be one of sync-enforce, sync-bypass, async-enforce, async-bypass"],
    );
    check_short(
        "{name: ex1, type: shell-exec, behavior: sync-bypass, command: a, script: b}",
        expect!["`script` is `b`: a `shell-exec` plugin has a `command` or a `script`, not both"],
    );
}

#[test]
fn a_config_map_holds_one_plugin_per_key() {
    check_short(
        "
apiVersion: v1
kind: ConfigMap
data:
  plugin-0.yaml: |
    sonobuoy-config: {driver: Job, plugin-name: first}
    spec: {image: a.wasm}
  plugin-1.json: |
    {\"name\": \"second\", \"driver\": \"Job\", \"spec\": {\"image\": \"b.wasm\"}}
  notes.txt: not a manifest
",
        expect![[r#"
            Sonobuoy first Job raw

            Flat second Job raw
        "#]],
    );
}

#[test]
fn an_error_inside_a_config_map_names_the_key() {
    check(
        "kind: ConfigMap\ndata:\n  a.yaml: |\n    sonobuoy-config: [\n",
        expect![[r#"
        key `a.yaml` of the `ConfigMap` cannot be used
        caused by: line 2, column 1: did not find expected node content, while parsing a flow node"#]],
    );
    check(
        "kind: ConfigMap\ndata: {notes.txt: a}",
        expect![
            "the key `data.*.yaml` is missing: it holds one plugin manifest per key that ends in `.yaml`, `.yml` or `.json`"
        ],
    );
    check(
        "kind: ConfigMap\ndata: {a.yaml: ''}",
        expect![[r#"
        key `a.yaml` of the `ConfigMap` cannot be used
        caused by: the text holds no document (accepted: Porthole's own, with `apiVersion: porthole.dev/v1alpha1` and `kind: Plugin`; Sonobuoy's, with `sonobuoy-config` and `spec`; the older flat form, with `name`, `driver`, `resultType` and `spec`; a kops plugin, with `name`, `type`, `behavior` and `command` or `script`; any of these in the `data` of a `ConfigMap`)"#]],
    );
    check(
        "kind: ConfigMap\ndata: {a.yaml: 'kind: ConfigMap'}",
        expect![[r#"
        key `a.yaml` of the `ConfigMap` cannot be used
        caused by: the document is no plugin manifest: it has the keys `kind` (accepted: Porthole's own, with `apiVersion: porthole.dev/v1alpha1` and `kind: Plugin`; Sonobuoy's, with `sonobuoy-config` and `spec`; the older flat form, with `name`, `driver`, `resultType` and `spec`; a kops plugin, with `name`, `type`, `behavior` and `command` or `script`; any of these in the `data` of a `ConfigMap`)"#]],
    );
}

#[test]
fn several_documents_are_several_plugins_and_an_error_names_its_document() {
    let flat = "{name: a, driver: Job, spec: {image: a.wasm}}";
    check_short(
        &format!("{flat}\n---\n{}", flat.replace("name: a", "name: b")),
        expect![[r#"
        Flat a Job raw

        Flat b Job raw
    "#]],
    );
    check(
        &format!("{flat}\n---\n{}", flat.replace("a.wasm", "busybox")),
        expect![[r#"
        document 2 cannot be used
        caused by: `spec.image` is `busybox`, which is a container image; Porthole runs WebAssembly components (`.wasm` files)
        hint: build the plugin as a component and set `spec.image` to its path, for instance `./plugin.wasm`; a program in Rust, Go, C or Python that writes its results to a folder needs no change but the target"#]],
    );
    let error = read_one(&format!("{flat}\n---\n{flat}")).expect_err("two plugins");
    assert_eq!(error, ManifestError::Several { count: 2 });
}

#[test]
fn other_documents_list_the_accepted_forms() {
    check(
        "{apiVersion: apps/v1, kind: Deployment, metadata: {}}",
        expect![
            "the document is no plugin manifest: it has the keys `apiVersion`, `kind`, `metadata` (accepted: Porthole's own, with `apiVersion: porthole.dev/v1alpha1` and `kind: Plugin`; Sonobuoy's, with `sonobuoy-config` and `spec`; the older flat form, with `name`, `driver`, `resultType` and `spec`; a kops plugin, with `name`, `type`, `behavior` and `command` or `script`; any of these in the `data` of a `ConfigMap`)"
        ],
    );
    check(
        "just a text",
        expect![
            "the document is no plugin manifest: it has no keys (accepted: Porthole's own, with `apiVersion: porthole.dev/v1alpha1` and `kind: Plugin`; Sonobuoy's, with `sonobuoy-config` and `spec`; the older flat form, with `name`, `driver`, `resultType` and `spec`; a kops plugin, with `name`, `type`, `behavior` and `command` or `script`; any of these in the `data` of a `ConfigMap`)"
        ],
    );
    check(
        "# nothing",
        expect![
            "the text holds no document (accepted: Porthole's own, with `apiVersion: porthole.dev/v1alpha1` and `kind: Plugin`; Sonobuoy's, with `sonobuoy-config` and `spec`; the older flat form, with `name`, `driver`, `resultType` and `spec`; a kops plugin, with `name`, `type`, `behavior` and `command` or `script`; any of these in the `data` of a `ConfigMap`)"
        ],
    );
}

#[test]
fn a_bomb_spread_over_a_config_map_is_stopped() {
    let bomb = "a: &a [1,1,1,1,1,1,1,1,1,1]\\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\\nd: [*c,*c,*c]\\nname: x\\ndriver: Job\\nspec: {image: x.wasm}";
    let keys: String = (0..5000).map(|index| format!("  k{index}.yaml: *bomb\n")).collect();
    let error = read(&format!("kind: ConfigMap\nbomb: &bomb \"{bomb}\"\ndata:\n{keys}")).expect_err("too much");
    expect![[r#"
        key `k1014.yaml` of the `ConfigMap` cannot be used
        caused by: line 1, column 4: d[1][5][6]: the text expands to more than 100000 values"#]]
    .assert_eq(&shown_error(&error));
}

#[test]
fn the_nearest_name_is_found() {
    assert_eq!(closest("resultfromat", ["driver", "resultFormat"]), Some("resultFormat"));
    assert_eq!(closest("x", ["driver", "order"]), None);
    assert_eq!(closest(&"a".repeat(100_000), ["driver"]), None);
}
