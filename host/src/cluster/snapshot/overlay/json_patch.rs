//! JSON Patch (RFC 6902).

use serde::Deserialize;
use serde_json::Value;

/// Operations in one patch, which is the API server's own bound.
const OPERATIONS: usize = 10_000;

/// Bytes that all copies of one patch may add, which is the API server's own bound. Without it a patch
/// that copies the object into itself twenty times makes a million of it.
const COPY_BYTES: usize = 3 << 20;

/// How deep an object may be after a step: a little less than the JSON parser reads back. Without it
/// moves could stack values until freeing them overflows the host's stack.
const DEPTH: usize = 120;

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
enum Operation {
    Add { path: String, value: Value },
    Remove { path: String },
    Replace { path: String, value: Value },
    Move { from: String, path: String },
    Copy { from: String, path: String },
    Test { path: String, value: Value },
}

/// Applies a patch; `target` is to be thrown away after an error.
///
/// # Errors
///
/// Says which operation is wrong.
pub(super) fn apply(target: &mut Value, patch: &[u8]) -> Result<(), String> {
    let operations: Vec<Operation> = serde_json::from_slice(patch).map_err(|error| error.to_string())?;
    if operations.len() > OPERATIONS {
        return Err(format!("the patch has more than {OPERATIONS} operations"));
    }
    let mut copy_bytes = COPY_BYTES;
    operations.into_iter().try_for_each(|operation| step(target, operation, &mut copy_bytes))
}

fn step(target: &mut Value, operation: Operation, copy_bytes: &mut usize) -> Result<(), String> {
    match operation {
        Operation::Add { path, value } => add(target, &path, value),
        Operation::Remove { path } => remove(target, &path).map(|_| ()),
        Operation::Replace { path, value } => {
            check_depth(&path, &value)?;
            *target.pointer_mut(&path).ok_or_else(|| missing(&path))? = value;
            Ok(())
        }
        Operation::Move { from, path } => {
            let value = remove(target, &from)?;
            add(target, &path, value)
        }
        Operation::Copy { from, path } => {
            let value = target.pointer(&from).ok_or_else(|| missing(&from))?;
            let left = copy_bytes.checked_sub(value.to_string().len());
            *copy_bytes = left.ok_or_else(|| format!("its copies are larger than {COPY_BYTES} bytes"))?;
            let value = value.clone();
            add(target, &path, value)
        }
        Operation::Test { path, value } if target.pointer(&path) == Some(&value) => Ok(()),
        Operation::Test { path, .. } => Err(format!("testing path `{path}` failed")),
    }
}

fn missing(path: &str) -> String {
    format!("there is no value at `{path}`")
}

fn check_depth(path: &str, value: &Value) -> Result<(), String> {
    if path.matches('/').count() + depth(value) > DEPTH {
        return Err(format!("the object would be nested more than {DEPTH} levels deep"));
    }
    Ok(())
}

/// Counts levels; the recursion is bounded, because no value that gets here is deeper than the parser allows.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(map) => 1 + map.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

fn add(target: &mut Value, path: &str, value: Value) -> Result<(), String> {
    check_depth(path, &value)?;
    let Some((parent, last)) = path.rsplit_once('/') else {
        *target = value;
        return Ok(());
    };
    let last = last.replace("~1", "/").replace("~0", "~");
    match target.pointer_mut(parent) {
        Some(Value::Object(map)) => {
            map.insert(last, value);
            Ok(())
        }
        Some(Value::Array(items)) if last == "-" => {
            items.push(value);
            Ok(())
        }
        Some(Value::Array(items)) => {
            let index = last.parse().ok().filter(|index| *index <= items.len()).ok_or_else(|| missing(path))?;
            items.insert(index, value);
            Ok(())
        }
        _ => Err(missing(path)),
    }
}

fn remove(target: &mut Value, path: &str) -> Result<Value, String> {
    let (parent, last) = path.rsplit_once('/').ok_or_else(|| missing(path))?;
    let last = last.replace("~1", "/").replace("~0", "~");
    match target.pointer_mut(parent) {
        Some(Value::Object(map)) => map.remove(&last).ok_or_else(|| missing(path)),
        Some(Value::Array(items)) => {
            let index = last.parse().ok().filter(|index| *index < items.len()).ok_or_else(|| missing(path))?;
            Ok(items.remove(index))
        }
        _ => Err(missing(path)),
    }
}
