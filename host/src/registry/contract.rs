//! What the host offers to components and what it can call: interfaces and their versions.

use std::fmt;

/// Interfaces of `porthole:plugin` that a component may import.
const OFFERED: [&str; 8] =
    ["config", "kubernetes", "kubernetes-types", "kubernetes-write", "log", "progress", "results", "run-context"];

/// The version of `porthole:plugin` that this host implements.
const HOST_VERSION: InterfaceVersion = InterfaceVersion::new(0, 1, 0);

/// The version of WASI that this host links.
const WASI_VERSION: InterfaceVersion = InterfaceVersion::new(0, 2, 12);

/// Interfaces of WASI 0.2 that the engine's WASI library links, by package.
const WASI: [(&str, &[&str]); 6] = [
    (
        "wasi:cli",
        &[
            "environment",
            "exit",
            "stderr",
            "stdin",
            "stdout",
            "terminal-input",
            "terminal-output",
            "terminal-stderr",
            "terminal-stdin",
            "terminal-stdout",
        ],
    ),
    ("wasi:clocks", &["monotonic-clock", "wall-clock"]),
    ("wasi:filesystem", &["preopens", "types"]),
    ("wasi:io", &["error", "poll", "streams"]),
    ("wasi:random", &["insecure", "insecure-seed", "random"]),
    (
        "wasi:sockets",
        &["instance-network", "ip-name-lookup", "network", "tcp", "tcp-create-socket", "udp", "udp-create-socket"],
    ),
];

/// The version of an interface.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InterfaceVersion {
    /// Breaking changes once it is above zero.
    pub major: u64,
    /// Additions; breaking changes while `major` is zero.
    pub minor: u64,
    /// Additions while `major` is zero.
    pub patch: u64,
    /// What follows the numbers, with its sign; empty for a release.
    pub suffix: String,
}

impl InterfaceVersion {
    const fn new(major: u64, minor: u64, patch: u64) -> Self {
        Self { major, minor, patch, suffix: String::new() }
    }

    fn parse(text: &str) -> Option<Self> {
        let end = text.find(['-', '+']).unwrap_or(text.len());
        let mut numbers = text[..end].split('.').map(|number| number.parse().ok());
        let (major, minor, patch) = (numbers.next()??, numbers.next()??, numbers.next()??);
        numbers.next().is_none().then(|| Self { major, minor, patch, suffix: text[end..].to_owned() })
    }

    /// Whether an older or newer release of the same line: the engine links those by one name.
    fn same_line(&self, other: &Self) -> bool {
        self.suffix.is_empty()
            && self.major == other.major
            && (self.major > 0 || (self.minor == other.minor && (self.minor > 0 || self.patch == other.patch)))
    }

    /// Whether a host of version `host` has all that was asked for with this version.
    fn is_served_by(&self, host: &Self) -> bool {
        self.same_line(host) && (self.minor, self.patch) <= (host.minor, host.patch)
    }
}

impl fmt::Display for InterfaceVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}.{}{}", self.major, self.minor, self.patch, self.suffix)
    }
}

/// What a component imports or exports, by name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Interface {
    /// The package, such as `porthole:plugin`; empty for a bare name such as `run`.
    pub package: String,
    /// The interface, such as `kubernetes`, or the bare name.
    pub name: String,
    /// Its version; `None` when it has none.
    pub version: Option<InterfaceVersion>,
}

impl Interface {
    /// Reads a name as a component writes it: `namespace:package/interface@version`, or a bare name.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let (path, version) = match text.split_once('@') {
            Some((path, version)) => match InterfaceVersion::parse(version) {
                Some(version) => (path, Some(version)),
                None => (text, None),
            },
            None => (text, None),
        };
        match path.split_once('/') {
            Some((package, name)) if package.contains(':') => {
                Self { package: package.to_owned(), name: name.to_owned(), version }
            }
            _ => Self { package: String::new(), name: path.to_owned(), version },
        }
    }

    fn is(&self, package: &str, name: &str) -> bool {
        self.package == package && self.name == name
    }

    /// Returns why the host cannot serve this import, or `None` if it can.
    pub(super) fn refusal(&self) -> Option<String> {
        if self.package == "porthole:plugin" {
            return self.porthole_refusal();
        }
        if self.package.starts_with("wasi:") {
            return self.wasi_refusal();
        }
        Some("this host offers only interfaces of `porthole:plugin` and WASI 0.2".to_owned())
    }

    fn porthole_refusal(&self) -> Option<String> {
        let version = self.version.as_ref();
        if !OFFERED.contains(&self.name.as_str()) {
            return Some(format!("this host has `porthole:plugin@{HOST_VERSION}` with {}", OFFERED.join(", ")));
        }
        if version.is_some_and(|version| version.is_served_by(&HOST_VERSION)) {
            return None;
        }
        Some(self.needs(&HOST_VERSION))
    }

    fn wasi_refusal(&self) -> Option<String> {
        let Some((_, names)) = WASI.iter().find(|(package, _)| *package == self.package) else {
            let packages: Vec<_> = WASI.iter().map(|(package, _)| *package).collect();
            return Some(format!("this host has WASI {WASI_VERSION} with {}", packages.join(", ")));
        };
        if !self.version.as_ref().is_some_and(|version| version.same_line(&WASI_VERSION)) {
            return Some(self.needs(&WASI_VERSION));
        }
        if !names.contains(&self.name.as_str()) {
            return Some(format!("of `{}@{WASI_VERSION}` this host has {}", self.package, names.join(", ")));
        }
        None
    }

    /// Returns the sentence that names both versions.
    fn needs(&self, host: &InterfaceVersion) -> String {
        let version = self.version.as_ref().map_or_else(|| "no version".to_owned(), ToString::to_string);
        let remedy = match &self.version {
            Some(version) if version.same_line(host) || version > host => "use a newer host",
            _ => "build it against the host's version",
        };
        format!("the plugin needs version {version}, this host has {host}; {remedy}")
    }
}

impl fmt::Display for Interface {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.package.is_empty() {
            write!(formatter, "{}/", self.package)?;
        }
        formatter.write_str(&self.name)?;
        match &self.version {
            Some(version) => write!(formatter, "@{version}"),
            None => Ok(()),
        }
    }
}

/// What the host can do with a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum World {
    /// It exports `porthole:plugin/producer`.
    Producer,
    /// It exports `wasi:cli/run` and nothing of Porthole: an ordinary program that collects or checks.
    Command,
}

impl World {
    /// What a component must export to be of a world, as an error lists it.
    pub const KNOWN: [&'static str; 2] =
        ["producer (exports `porthole:plugin/producer@0.1.0`)", "command (exports `wasi:cli/run@0.2.x`)"];

    /// Returns the worlds of a component with these exports, sorted; empty when there is none.
    ///
    /// # Errors
    ///
    /// An export that is known, together with why its version cannot be called.
    pub(super) fn of(exports: &[Interface]) -> Result<Vec<Self>, (Interface, String)> {
        let producer = exports.iter().find(|export| export.is("porthole:plugin", "producer"));
        if let Some(export) = producer {
            if !export.version.as_ref().is_some_and(|version| version.is_served_by(&HOST_VERSION)) {
                return Err((export.clone(), export.needs(&HOST_VERSION)));
            }
            return Ok(vec![Self::Producer]);
        }
        if exports.iter().any(|export| export.package == "porthole:plugin") {
            return Ok(Vec::new());
        }
        match exports.iter().find(|export| export.is("wasi:cli", "run")) {
            None => Ok(Vec::new()),
            Some(export) if export.version.as_ref().is_some_and(|version| version.same_line(&WASI_VERSION)) => {
                Ok(vec![Self::Command])
            }
            Some(export) => Err((export.clone(), export.needs(&WASI_VERSION))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(name: &str) -> String {
        Interface::parse(name).refusal().unwrap_or_else(|| "served".to_owned())
    }

    #[test]
    fn names_are_taken_apart_and_put_together() {
        for name in ["porthole:plugin/log@0.1.0", "wasi:cli/run@0.2.0-rc.1", "run", "a:b/c"] {
            assert_eq!(Interface::parse(name).to_string(), name);
        }
    }

    #[test]
    fn additions_of_a_later_version_are_refused_naming_both() {
        assert_eq!(refusal("porthole:plugin/log@0.1.0"), "served");
        let newer = "the plugin needs version 0.1.1, this host has 0.1.0; use a newer host";
        assert_eq!(refusal("porthole:plugin/log@0.1.1"), newer);
        let other = "the plugin needs version 0.2.0, this host has 0.1.0; use a newer host";
        assert_eq!(refusal("porthole:plugin/log@0.2.0"), other);
        let none = "the plugin needs version no version, this host has 0.1.0; build it against the host's version";
        assert_eq!(refusal("porthole:plugin/log"), none);
    }

    #[test]
    fn wasi_is_served_in_its_second_line_alone() {
        for served in ["wasi:cli/environment@0.2.0", "wasi:io/streams@0.2.99", "wasi:sockets/tcp@0.2.6"] {
            assert_eq!(refusal(served), "served");
        }
        let third = "the plugin needs version 0.3.0, this host has 0.2.12; use a newer host";
        assert_eq!(refusal("wasi:cli/environment@0.3.0"), third);
        let preview =
            "the plugin needs version 0.2.0-rc-2023, this host has 0.2.12; build it against the host's version";
        assert_eq!(refusal("wasi:cli/environment@0.2.0-rc-2023"), preview);
        let http =
            "this host has WASI 0.2.12 with wasi:cli, wasi:clocks, wasi:filesystem, wasi:io, wasi:random, wasi:sockets";
        assert_eq!(refusal("wasi:http/types@0.2.0"), http);
        let timezone = "of `wasi:clocks@0.2.12` this host has monotonic-clock, wall-clock";
        assert_eq!(refusal("wasi:clocks/timezone@0.2.0"), timezone);
    }

    #[test]
    fn foreign_interfaces_are_refused() {
        let foreign = "this host offers only interfaces of `porthole:plugin` and WASI 0.2";
        assert_eq!(refusal("other:thing/api@1.0.0"), foreign);
        assert_eq!(refusal("run"), foreign);
    }
}
