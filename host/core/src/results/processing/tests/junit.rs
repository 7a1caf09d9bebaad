//! Tests of `JUnit`: what the strict see and Sonobuoy does not.

use expect_test::expect;

use super::{check, job, process};
use crate::results::item::META_ERROR;
use crate::results::{Mode, Status};

#[test]
fn a_suite_within_a_suite_is_read_by_the_strict_alone() {
    check(
        &job("junit"),
        &[(
            "results/global/a.xml",
            r#"<testsuites><testsuite name="outer"><testcase name="fine"/><testsuite><testcase name="bad"><failure message="m"/></testcase></testsuite></testsuite></testsuites>"#,
        )],
        &expect![[r#"
            p passed
              a.xml passed
                outer passed
                  fine passed
        "#]],
        &expect![[r#"
            p failed
              a.xml failed
                outer failed
                  fine passed
                  testsuite-002 failed
                    bad failed {"failure":"m"}
        "#]],
    );
}

#[test]
fn junit_without_a_case_is_green_for_sonobuoy_alone() {
    check(
        &job("junit"),
        &[("results/global/a.xml", "<testsuites/>"), ("results/global/b.xml", "<testsuite name='s'></testsuite>")],
        &expect![[r#"
            p passed
              a.xml passed
              b.xml passed
                s passed
        "#]],
        &expect![[r#"
            p unknown
              a.xml unknown
              b.xml unknown
                s unknown
        "#]],
    );
}

#[test]
fn a_case_both_skipped_and_failed_is_failed() {
    check(
        &job("e2e"),
        &[(
            "results/a.xml",
            "<testsuite><testcase name='c'><skipped/><error>&lt;gone&#x3e;</error></testcase></testsuite>",
        )],
        &expect![[r#"
            p passed
              a.xml passed
                testsuite-001 passed
                  c skipped {"error":"<gone>"}
        "#]],
        &expect![[r#"
            p failed
              a.xml failed
                testsuite-001 failed
                  c failed {"error":"<gone>"}
        "#]],
    );
}

#[test]
fn junit_that_breaks_off_or_lies_about_numbers_says_so() {
    check(
        &job("junit"),
        &[
            ("results/broken.xml", "<testsuite name='s'><testcase name='c'/><testcase name='d'>"),
            ("results/number.xml", "<testsuite name='s' tests='many'><testcase name='c'/></testsuite>"),
            ("results/other.xml", "<html/>"),
            ("results/latin.xml", "<?xml version='1.0' encoding='ISO-8859-1'?><testsuite/>"),
            (
                "results/bomb.xml",
                "<!DOCTYPE x [<!ENTITY a 'b'>]><testsuite name='s'><testcase name='c'><failure>&a;</failure></testcase></testsuite>",
            ),
        ],
        &expect![[r#"
            p unknown
              bomb.xml unknown (unknown entity `&a;`)
              broken.xml unknown (the file ends before its root element does)
              latin.xml unknown (encoding `ISO-8859-1` is not supported (supported: UTF-8))
              number.xml unknown (attribute `tests` is no integer: `many`)
              other.xml unknown (the root element is `html` (known: `testsuites`, `testsuite`))
        "#]],
        &expect![[r#"
            p unknown
              bomb.xml unknown (unknown entity `&a;`)
              broken.xml unknown (the file ends before its root element does)
                s passed
                  c passed
                broken.xml unknown (the file ends before its root element does)
              latin.xml unknown (encoding `ISO-8859-1` is not supported (supported: UTF-8))
              number.xml passed
                s passed
                  c passed
              other.xml unknown (the root element is `html` (known: `testsuites`, `testsuite`))
        "#]],
    );
}

#[test]
fn suites_that_lie_too_deep_are_refused_without_overflow() {
    let deep = "<testsuite>".repeat(100_000);
    let item = process(job("junit"), Mode::Strict, &[("results/a.xml", &deep)]);
    assert_eq!(item.items[0].meta[META_ERROR], "suites lie deeper in one another than 32");
    let skipped = process(job("junit"), Mode::SonobuoyCompat, &[("results/a.xml", &deep)]);
    assert_eq!(skipped.status, Status::Unknown);
}
