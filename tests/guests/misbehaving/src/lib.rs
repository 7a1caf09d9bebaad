//! A plugin that breaks one bound after the other; `act` in its settings says which.

use std::io::Write as _;

use porthole_sdk::kubernetes::{self, Resource};
use porthole_sdk::results::{self, Item};
use porthole_sdk::{Context, Failure, Producer, config, log};
use serde::Deserialize;

/// The plugin.
pub struct Misbehaving;

#[derive(Deserialize)]
struct Settings {
    act: String,
}

impl Producer for Misbehaving {
    fn produce(context: &Context) -> Result<(), Failure> {
        let Settings { act } = config::get()?;
        results::report([Item::passed(["before"])])?;
        match act.as_str() {
            "behave" => Ok(()),
            "fail" => Err(Failure::other("on purpose")),
            "loop" => spin(),
            "grow" => grow(),
            "recurse" => Err(Failure::other(recurse(1).to_string())),
            "panic" => panic!("on purpose, on {:?}", context.node_name),
            "secrets" => secrets(),
            "log-flood" => flood(),
            "call-storm" => storm(),
            "huge-file" => huge_file(),
            "many-files" => many_files(),
            "escape" => escape(),
            "cursors" => cursors(),
            "smuggle" => smuggle(),
            "deep-item" => deep_item(),
            "random" => random(),
            other => Err(Failure::configuration(format!("there is no act `{other}`"))),
        }
    }
}

porthole_sdk::producer!(Misbehaving, manifest = "plugin.yaml");

fn spin() -> Result<(), Failure> {
    let mut number = 1_u64;
    loop {
        number = std::hint::black_box(number.wrapping_mul(3));
        if number == 0 {
            return Ok(());
        }
    }
}

fn grow() -> Result<(), Failure> {
    let mut kept: Vec<Vec<u8>> = Vec::new();
    loop {
        kept.push(std::hint::black_box(vec![1; 1 << 20]));
        if kept.len() > 1 << 20 {
            return Ok(());
        }
    }
}

fn recurse(depth: u64) -> u64 {
    let here = std::hint::black_box([depth; 64]);
    if depth == u64::MAX { 0 } else { recurse(depth + 1) + here[0] }
}

fn secrets() -> Result<(), Failure> {
    let secrets = kubernetes::list(&Resource::core("secrets")).objects::<serde_json::Value>();
    for secret in secrets {
        match secret {
            Ok(_) => results::report([Item::failed(["secrets"]).message("it could read a secret")])?,
            Err(error) => results::report([Item::unknown(["secrets"]).message(error.to_string())])?,
        }
    }
    Ok(())
}

fn flood() -> Result<(), Failure> {
    let line = "x".repeat(100_000);
    for _ in 0..20_000 {
        log::info!("{line}");
    }
    Ok(())
}

fn storm() -> Result<(), Failure> {
    for _ in 0..1_000_000 {
        let _ = Context::current();
    }
    Ok(())
}

fn huge_file() -> Result<(), Failure> {
    let mut file = results::create("huge", "")?;
    let piece = vec![0; 1 << 20];
    for _ in 0..1_000 {
        file.write_all(&piece)?;
    }
    file.finish()?;
    Ok(())
}

fn many_files() -> Result<(), Failure> {
    for number in 0..100_000 {
        results::create(&format!("file-{number}"), "")?;
    }
    Ok(())
}

fn escape() -> Result<(), Failure> {
    for path in ["../../../../evil", "/etc/evil", "a/../../evil", "", ".", "a//b", "a\\b", "porthole_items.jsonl"] {
        let taken = results::create(path, "");
        let name = if path.is_empty() { "(empty)" } else { path };
        results::report([match taken {
            Ok(_) => Item::failed(["escape", name]).message("it was taken"),
            Err(error) => Item::passed(["escape", name]).message(error.to_string()),
        }])?;
    }
    let taken = results::create_cluster_file("resources/cluster/core_v1_nodes.json");
    results::report([match taken {
        Ok(_) => Item::failed(["escape", "cluster"]).message("it was taken"),
        Err(error) => Item::passed(["escape", "cluster"]).message(error.to_string()),
    }])?;
    Ok(())
}

fn cursors() -> Result<(), Failure> {
    let mut kept = Vec::new();
    for _ in 0..50_000 {
        let mut pages = kubernetes::list(&Resource::core("pods")).pages();
        let _ = pages.next();
        kept.push(pages);
    }
    Ok(())
}

/// Names that mean something else once they are part of a URL.
fn smuggle() -> Result<(), Failure> {
    let kinds = [
        Resource::core("pods/exec"),
        Resource::core("Pods"),
        Resource::core("SECRETS"),
        Resource::core("secrets/"),
        Resource::core("../secrets"),
        Resource::core("pods/../secrets"),
        Resource::core("secrets?watch=1"),
        Resource::core("sеcrets"),
        Resource::new("../api", "secrets"),
    ];
    for kind in kinds {
        let listed = kubernetes::list(&kind).pages().next();
        results::report([match listed {
            Some(Ok(_)) => Item::failed(["smuggle", kind.name()]).message("it was listed"),
            Some(Err(error)) => Item::passed(["smuggle", kind.name()]).message(error.to_string()),
            None => Item::passed(["smuggle", kind.name()]).message("nothing"),
        }])?;
    }
    for name in ["../secrets/x", "a/b", "..", "x?y", "%2e%2e"] {
        let got = kubernetes::get_raw(&Resource::core("configmaps"), Some("kube-system"), name);
        results::report([match got {
            Ok(_) => Item::failed(["smuggle", name]).message("it was read"),
            Err(error) => Item::passed(["smuggle", name]).message(error.to_string()),
        }])?;
    }
    Ok(())
}

fn deep_item() -> Result<(), Failure> {
    results::report([Item::passed(vec!["x"; 10_000])])?;
    Ok(())
}

fn random() -> Result<(), Failure> {
    // A map's seed is all that the standard library asks of randomness; the host bounds the rest.
    let map: std::collections::HashMap<u32, u32> = (0..10).map(|number| (number, number)).collect();
    results::report([Item::passed(["random"]).detail("entries", map.len())])?;
    Ok(())
}
