//! Names of plugins.

use std::sync::LazyLock;

use regex::Regex;

use super::ManifestError;

/// A name that no plugin may have, because Sonobuoy's result tarballs use it for their own.
pub const RESERVED_NAME: &str = "sonobuoy";

/// Longest name, in bytes; it becomes a folder and part of object names, which Kubernetes bounds at 253.
const NAME_BYTES: usize = 253;

/// The form of a DNS subdomain (RFC 1123), which is what Sonobuoy accepts.
static FORM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")
        .expect("a constant that the tests use")
});

/// Checks that `name`, found at the key `path`, can be a plugin's name.
///
/// # Errors
///
/// [`ManifestError::InvalidValue`] with the rule that it breaks.
pub fn check_name(path: &str, name: &str) -> Result<(), ManifestError> {
    let refuse = |reason: &str| ManifestError::InvalidValue {
        path: path.to_owned(),
        value: name.chars().take(80).collect(),
        reason: reason.to_owned(),
    };
    if name.len() > NAME_BYTES {
        return Err(refuse("a plugin's name has at most 253 characters"));
    }
    if !FORM.is_match(name) {
        return Err(refuse(
            "a plugin's name has only lower-case letters, digits, `-` and `.`, \
             and begins and ends with a letter or digit",
        ));
    }
    if name == RESERVED_NAME {
        return Err(refuse("this name is reserved"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_dns_subdomains() {
        for sound in ["a", "workload-checks", "x.y-1", "0"] {
            assert_eq!(check_name("n", sound), Ok(()), "{sound}");
        }
        let long = "a".repeat(254);
        for wrong in ["", "A", "-a", "a-", "a_b", "a..b", "a/b", "../a", "a\n", "sonobuoy", long.as_str()] {
            assert!(check_name("n", wrong).is_err(), "{wrong}");
        }
    }
}
