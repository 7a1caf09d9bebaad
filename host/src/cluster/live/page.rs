//! A list as the API server sends it, cut into objects without parsing them.

use bytes::Bytes;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::cluster::{Object, Page};

/// Why an answer is not a list or an object.
#[derive(Debug, thiserror::Error)]
pub(super) enum FormatError {
    /// It is not the JSON that was expected.
    #[error("the answer is not what was asked for: {0}")]
    Json(#[from] serde_json::Error),
    /// The object has no name.
    #[error("the answer holds an object without a name")]
    Nameless,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct List<'a> {
    #[serde(default)]
    kind: String,
    #[serde(default)]
    api_version: String,
    #[serde(default)]
    metadata: ListMetadata,
    #[serde(borrow)]
    items: Option<Vec<&'a RawValue>>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct ListMetadata {
    resource_version: String,
    r#continue: String,
    remaining_item_count: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TypeOnly {
    api_version: Option<IgnoredAny>,
    kind: Option<IgnoredAny>,
}

/// Reads one page. Typed lists leave out `apiVersion` and `kind` of their items; they are put back.
pub(super) fn parse(body: &[u8]) -> Result<Page, FormatError> {
    let list: List = serde_json::from_slice(body)?;
    let kind = list.kind.strip_suffix("List").unwrap_or_default();
    let items = list.items.unwrap_or_default().into_iter().map(|item| object(item.get(), &list.api_version, kind));
    Ok(Page {
        items: items.collect::<Result<_, _>>()?,
        continue_token: Some(list.metadata.r#continue).filter(|token| !token.is_empty()),
        remaining: list.metadata.remaining_item_count,
        resource_version: list.metadata.resource_version,
    })
}

/// Reads one object and gives it `apiVersion` and `kind` where it has none.
pub(super) fn object(text: &str, api_version: &str, kind: &str) -> Result<Object, FormatError> {
    let has: TypeOnly = serde_json::from_str(text)?;
    let json = if (has.api_version.is_some() && has.kind.is_some()) || kind.is_empty() {
        Bytes::copy_from_slice(text.as_bytes())
    } else {
        let rest = text.trim_start().strip_prefix('{').unwrap_or_default();
        let comma = if rest.trim_start().starts_with('}') { "" } else { "," };
        let mut whole = String::with_capacity(text.len() + api_version.len() + kind.len() + 32);
        whole.push('{');
        if has.kind.is_none() {
            whole.push_str("\"kind\":");
            whole.push_str(&serde_json::to_string(kind)?);
            whole.push_str(if has.api_version.is_none() { "," } else { comma });
        }
        if has.api_version.is_none() {
            whole.push_str("\"apiVersion\":");
            whole.push_str(&serde_json::to_string(api_version)?);
            whole.push_str(comma);
        }
        whole.push_str(rest);
        Bytes::from(whole)
    };
    let object = Object::from_json(json)?;
    if object.name().is_empty() { Err(FormatError::Nameless) } else { Ok(object) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(page: &Page) -> Vec<&str> {
        page.items.iter().map(|item| std::str::from_utf8(item.json()).expect("JSON is UTF-8")).collect()
    }

    #[test]
    fn items_get_back_the_type_that_typed_lists_leave_out() {
        let page = parse(
            br#"{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7","continue":"c","remainingItemCount":3},
                "items":[{"metadata":{"name":"a"}},{"kind":"Pod","apiVersion":"v1","metadata":{"name":"b"}}]}"#,
        )
        .expect("this is a list");
        assert_eq!(
            texts(&page),
            [
                r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}"#,
                r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"b"}}"#
            ]
        );
        assert_eq!((page.resource_version.as_str(), page.remaining), ("7", Some(3)));
        assert_eq!(page.continue_token.as_deref(), Some("c"));
    }

    #[test]
    fn an_item_with_half_a_type_gets_the_other_half_once() {
        let object = object(r#"{"kind":"Pod","metadata":{"name":"a"}}"#, "v1", "Pod").expect("this is a pod");
        assert_eq!(object.json(), r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}"#);
    }

    #[test]
    fn the_last_page_has_no_token_and_null_items_are_none() {
        let page = parse(br#"{"kind":"PodList","apiVersion":"v1","metadata":{"continue":""},"items":null}"#);
        let page = page.expect("an empty list of Go is null");
        assert!(page.items.is_empty() && page.continue_token.is_none());
    }

    #[test]
    fn what_is_not_a_list_is_an_error() {
        for text in ["", "<html>", "[]", r#"{"items":7}"#, r#"{"kind":"PodList","items":[{}]}"#, r#"{"items":["a"]}"#] {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
