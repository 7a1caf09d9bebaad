//! Settings against schemas as plugins ship them.

use expect_test::{Expect, expect};

use super::*;

#[expect(clippy::needless_pass_by_value, reason = "tests pass literals")]
fn check(schema: &str, settings: &str, expected: Expect) {
    let schema: Value = serde_yaml::from_str(schema).expect("a schema in YAML");
    let settings: Value = serde_yaml::from_str(settings).expect("settings in YAML");
    let text = match resolve(Some(&schema), Some(&settings)) {
        Ok(value) => value.to_string(),
        Err(error) => error.to_string(),
    };
    expected.assert_eq(&text);
}

#[test]
fn defaults_reach_objects_that_are_absent() {
    check(
        "
        properties:
          level: {type: string, default: warn}
          image:
            properties:
              tags: {properties: {latest: {default: fail}}}
              pull: {default: Always}
          nothing: {properties: {plain: {type: string}}}
        ",
        "image: {pull: Never}",
        expect![[r#"{"image":{"pull":"Never","tags":{"latest":"fail"}},"level":"warn"}"#]],
    );
}

#[test]
fn defaults_reach_list_elements_and_additional_properties() {
    check(
        "
        properties:
          exemptions: {type: array, items: {properties: {reason: {default: none given}}}}
          checks: {additionalProperties: {properties: {severity: {default: high}}}}
        ",
        "{exemptions: [{name: a}], checks: {probes: {}}}",
        expect![[r#"{"checks":{"probes":{"severity":"high"}},"exemptions":[{"name":"a","reason":"none given"}]}"#]],
    );
}

#[test]
fn an_objects_own_default_is_completed_by_its_properties() {
    check(
        "properties: {limits: {default: {cpu: 1}, properties: {cpu: {default: 9}, memory: {default: 2}}}}",
        "{}",
        expect![[r#"{"limits":{"cpu":1,"memory":2}}"#]],
    );
}

#[test]
fn defaults_follow_references_within_the_schema() {
    check(
        "
        $defs: {severity: {enum: [low, high], default: low}}
        properties: {probes: {$ref: '#/$defs/severity'}, tags: {allOf: [{$ref: '#/$defs/severity'}]}}
        ",
        "{tags: high}",
        expect![[r#"{"probes":"low","tags":"high"}"#]],
    );
}

#[test]
fn settings_that_break_the_schema_are_named_by_pointer() {
    check(
        "
        properties:
          severities: {additionalProperties: {enum: [low, high]}}
          replicas: {type: integer, minimum: 1}
        additionalProperties: false
        ",
        "{severities: {probes: hihg}, replicas: 0, extra: 1}",
        expect![[
            r#"the settings break the plugin's schema: `/replicas`: 0 is less than the minimum of 1 (schema `/properties/replicas/minimum`); `/severities/probes`: "hihg" is not one of "low" or "high" (schema `/properties/severities/additionalProperties/enum`); `/`: Additional properties are not allowed ('extra' was unexpected) (schema `/additionalProperties`)"#
        ]],
    );
}

#[test]
fn a_default_that_breaks_its_own_schema_is_found() {
    check(
        "properties: {a: {type: integer, default: many}}",
        "{}",
        expect![[
            r#"the settings break the plugin's schema: `/a`: "many" is not of type "integer" (schema `/properties/a/type`)"#
        ]],
    );
}

#[test]
fn null_is_a_value_and_not_replaced() {
    check("properties: {a: {default: 1}}", "a: null", expect![[r#"{"a":null}"#]]);
}

#[test]
fn references_out_of_the_schema_are_refused() {
    for reference in ["https://example.com/schema.json", "file:///etc/passwd", "other.json", "/etc/passwd"] {
        let schema = serde_json::json!({"properties": {"a": {"$ref": reference}}});
        let error = check_schema(&schema).expect_err(reference);
        assert_eq!(
            error.to_string(),
            format!(
                "the schema in the plugin's manifest is broken: `$ref: {reference}` leaves the schema; \
                 only references beginning with `#` are followed"
            )
        );
    }
}

#[test]
fn broken_schemas_are_told_from_broken_settings() {
    check(
        "type: strnig",
        "{}",
        expect![[
            r#"the schema in the plugin's manifest is broken: "strnig" is not valid under any of the schemas listed in the 'anyOf' keyword (at `/type`)"#
        ]],
    );
    check(
        "properties: {a: {$ref: '#/$defs/missing'}}",
        "{}",
        expect!["the schema in the plugin's manifest is broken: Pointer '/$defs/missing' does not exist (at ``)"],
    );
    check(
        "properties: {a: {pattern: '('}}",
        "{}",
        expect![[
            r#"the schema in the plugin's manifest is broken: "(" is not a "regex" (at `/properties/a/pattern`)"#
        ]],
    );
}

#[test]
fn a_schema_that_refers_to_itself_ends() {
    check(
        "
        properties: {child: {$ref: '#'}, depth: {default: 1}}
        ",
        "{child: {}}",
        expect![[r#"{"child":{"depth":1},"depth":1}"#]],
    );
}

#[test]
fn a_schema_that_fans_out_is_stopped() {
    check(
        "
        $defs:
          l0: {properties: {a: {$ref: '#/$defs/l1'}, b: {$ref: '#/$defs/l1'}, c: {$ref: '#/$defs/l1'}, d: {$ref: '#/$defs/l1'}, e: {$ref: '#/$defs/l1'}}}
          l1: {properties: {a: {$ref: '#/$defs/l2'}, b: {$ref: '#/$defs/l2'}, c: {$ref: '#/$defs/l2'}, d: {$ref: '#/$defs/l2'}, e: {$ref: '#/$defs/l2'}}}
          l2: {properties: {a: {$ref: '#/$defs/l3'}, b: {$ref: '#/$defs/l3'}, c: {$ref: '#/$defs/l3'}, d: {$ref: '#/$defs/l3'}, e: {$ref: '#/$defs/l3'}}}
          l3: {properties: {a: {$ref: '#/$defs/l4'}, b: {$ref: '#/$defs/l4'}, c: {$ref: '#/$defs/l4'}, d: {$ref: '#/$defs/l4'}, e: {$ref: '#/$defs/l4'}}}
          l4: {properties: {a: {$ref: '#/$defs/l5'}, b: {$ref: '#/$defs/l5'}, c: {$ref: '#/$defs/l5'}, d: {$ref: '#/$defs/l5'}, e: {$ref: '#/$defs/l5'}}}
          l5: {properties: {a: {default: 1}, b: {default: 1}, c: {default: 1}, d: {default: 1}, e: {default: 1}}}
        $ref: '#/$defs/l0'
        ",
        "{}",
        expect!["the schema in the plugin's manifest is broken: it gives more than 10000 defaults or 4194304 bytes of them, or refers to itself too often"],
    );
}

#[test]
fn many_copies_of_one_long_default_are_stopped() {
    let mut properties = Map::new();
    for index in 0..1000 {
        properties.insert(format!("p{index}"), serde_json::json!({"$ref": "#/$defs/long"}));
    }
    let schema = serde_json::json!({"$defs": {"long": {"default": "x".repeat(10_000)}}, "properties": properties});
    assert!(matches!(resolve(Some(&schema), None), Err(ConfigError::BrokenSchema { .. })));
}

#[test]
fn without_a_schema_any_object_is_good() {
    let settings = serde_json::json!({"a": [1, {"b": null}]});
    assert_eq!(resolve(None, Some(&settings)), Ok(settings));
    assert_eq!(resolve(None, None), Ok(serde_json::json!({})));
    assert_eq!(resolve(None, Some(&serde_json::json!([]))), Err(ConfigError::NotAnObject { found: "a list" }));
}
