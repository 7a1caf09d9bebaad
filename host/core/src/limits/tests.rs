//! Bounds: how they are written, lowered and raised.

#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
//! Bounds: parsing, printing, lowering and raising.

use std::time::Duration;

use super::*;

#[test]
fn amounts_are_read_in_kubernetes_form() {
    for (text, bytes) in
        [("64Mi", 64 << 20), ("1Gi", 1 << 30), ("500M", 500_000_000), ("7", 7), ("2k", 2000), ("1Ki", 1024)]
    {
        assert_eq!(text.parse(), Ok(Bytes(bytes)), "{text}");
    }
    for (text, seconds) in [("10s", 10), ("5m", 300), ("1h30m", 5400), ("90", 90), ("1h0m1s", 3601)] {
        assert_eq!(text.parse(), Ok(Span(Duration::from_secs(seconds))), "{text}");
    }
    assert_eq!("250ms".parse(), Ok(Span(Duration::from_millis(250))));
    assert_eq!("10k".parse(), Ok(Count(10_000)));
}

#[test]
fn what_is_no_amount_is_refused_with_what_would_work() {
    for text in ["", "-1", "1.5Gi", "64MB", "64 Mi", "Mi", "6４", "0x10", "1e9", "+1"] {
        assert!(matches!(text.parse::<Bytes>(), Err(QuantityError::Bytes(_))), "{text}");
    }
    for text in ["", "s", "10 s", "1m1h", "1s1s", "10sec", "5m3", "-5m"] {
        assert!(matches!(text.parse::<Span>(), Err(QuantityError::Span(_))), "{text}");
    }
    assert!(matches!("0".parse::<Bytes>(), Err(QuantityError::Zero(_))));
    assert!(matches!("0h0m".parse::<Span>(), Err(QuantityError::Zero(_))));
    for text in ["99999999999999999999", "9223372036854775808", "9000000000Gi"] {
        assert!(matches!(text.parse::<Bytes>(), Err(QuantityError::TooLarge(_))), "{text}");
    }
    assert!(matches!("9999999999999999h".parse::<Span>(), Err(QuantityError::TooLarge(_))));
}

#[test]
fn an_amount_is_printed_as_it_can_be_read() {
    for text in ["64Mi", "1Ti", "1000", "1Ki"] {
        assert_eq!(text.parse::<Bytes>().unwrap().to_string(), text);
    }
    for text in ["1h30m", "10s", "1s250ms"] {
        assert_eq!(text.parse::<Span>().unwrap().to_string(), text);
    }
}

#[test]
fn a_plugin_may_only_lower() {
    let plugin: PluginLimits = serde_yaml::from_str("{ memory: 1Gi, cpu: 1s, files: 3 }").unwrap();
    let (limits, kept) = Limits::default().lowered_by(&plugin);
    assert_eq!(limits, Limits { cpu: Duration::from_secs(1), files: 3, ..Limits::default() });
    let said: Vec<_> = kept.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "`memory: 1Gi` is more than the 64Mi that the operator allows, so it stays 64Mi; to raise it, set `limits.memory` in the plugin's grant"
        ]
    );
}

#[test]
fn an_operator_may_raise_and_lower() {
    let operator: OperatorLimits = serde_yaml::from_str("{ memory: 1Gi, timeout: 1s, component: 1Mi }").unwrap();
    let limits = Limits::for_producer().overridden_by(&operator);
    assert_eq!((limits.memory, limits.timeout, limits.component), (1 << 30, Duration::from_secs(1), 1 << 20));
}

#[test]
fn a_bound_that_nobody_knows_is_refused() {
    let error = serde_yaml::from_str::<PluginLimits>("{ ram: 1Gi }").unwrap_err().to_string();
    assert!(error.contains("unknown field `ram`") && error.contains("`memory`"), "{error}");
    assert!(serde_yaml::from_str::<PluginLimits>("{ component: 1Mi }").is_err(), "it is past before the manifest");
}
