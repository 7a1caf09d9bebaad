//! The audit: records are summed by plugin, refusals are kept apart, texts are cut.

#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
//! Records and their sum.

use expect_test::expect;

use super::*;

fn record(plugin: &str, access: &str, verdict: Verdict) -> AuditRecord {
    AuditRecord {
        sequence: 1,
        offset: 20,
        plugin: plugin.to_owned(),
        target: "global".to_owned(),
        interface: "kubernetes".to_owned(),
        call: "list".to_owned(),
        access: access.to_owned(),
        verdict,
        error: String::new(),
        remedy: if verdict == Verdict::Denied { "- {}".to_owned() } else { String::new() },
        objects: 2,
        bytes: 300,
        micros: 40,
    }
}

#[test]
fn a_record_is_one_line_whatever_is_in_it() {
    let line = record("a", "get pods x\n\u{1b}[2J", Verdict::Denied).to_line().unwrap();
    expect![[r#"
        {"sequence":1,"offset":20,"plugin":"a","target":"global","interface":"kubernetes","call":"list","access":"get pods x\n\u001b[2J","verdict":"denied","remedy":"- {}","objects":2,"bytes":300,"micros":40}
    "#]]
    .assert_eq(&line);
    let long = record("a", &"é".repeat(MAX_TEXT_BYTES), Verdict::Failed).to_line().unwrap();
    assert!(long.len() < 2 * MAX_TEXT_BYTES && long.contains("é…"));
    assert_eq!(serde_json::from_str::<AuditRecord>(&line).unwrap().verdict, Verdict::Denied);
}

#[test]
fn records_are_summed_by_plugin() {
    let mut summary = AuditSummary::default();
    for (plugin, verdict) in [
        ("a", Verdict::Allowed),
        ("a", Verdict::Denied),
        ("a", Verdict::Denied),
        ("b", Verdict::Failed),
        ("b", Verdict::Budget),
    ] {
        summary.add(&record(plugin, "secrets -A", verdict));
    }
    expect![[r#"{"calls":3,"denied":2,"failed":0,"overBudget":0,"objects":6,"bytes":900,"micros":120,"denials":{"list secrets -A":{"count":2,"remedy":"- {}"}},"otherDenials":0}"#]]
        .assert_eq(&serde_json::to_string(&summary.plugins["a"]).unwrap());
    let total = summary.total();
    assert_eq!((total.calls, total.denied, total.failed, total.over_budget), (5, 2, 1, 1));
}

#[test]
fn made_up_names_do_not_fill_the_memory() {
    let mut summary = AuditSummary::default();
    for index in 0..MAX_DENIALS + 5 {
        summary.add(&record("a", &format!("get pods {index}"), Verdict::Denied));
    }
    let plugin = &summary.plugins["a"];
    assert_eq!((plugin.denials.len(), plugin.other_denials), (MAX_DENIALS, 5));
}
