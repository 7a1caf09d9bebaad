//! The settings that matter, and how they are judged.

use std::io::ErrorKind;

/// A kernel setting and what it should be.
pub(crate) struct Setting {
    /// Its name, as `sysctl` writes it.
    pub(crate) name: &'static str,
    /// What it should be.
    wanted: Wanted,
    /// Why.
    why: &'static str,
}

/// What a setting should be.
enum Wanted {
    /// Exactly this.
    Exactly(u64),
    /// This or more.
    AtLeast(u64),
}

/// Every setting that is looked at. The first five are what the kubelet checks with
/// `--protect-kernel-defaults`; the others are what clusters fail by in practice.
pub(crate) const SETTINGS: [Setting; 9] = [
    setting("vm.overcommit_memory", Wanted::Exactly(1), "the kubelet's protect-kernel-defaults wants it"),
    setting("vm.panic_on_oom", Wanted::Exactly(0), "the kubelet's protect-kernel-defaults wants it"),
    setting("kernel.panic", Wanted::Exactly(10), "the kubelet's protect-kernel-defaults wants it"),
    setting("kernel.panic_on_oops", Wanted::Exactly(1), "the kubelet's protect-kernel-defaults wants it"),
    setting("kernel.keys.root_maxkeys", Wanted::AtLeast(1_000_000), "the kubelet's protect-kernel-defaults wants it"),
    setting("net.ipv4.ip_forward", Wanted::Exactly(1), "packets of pods are forwarded"),
    setting("net.bridge.bridge-nf-call-iptables", Wanted::Exactly(1), "packets over a bridge meet kube-proxy's rules"),
    setting("fs.inotify.max_user_instances", Wanted::AtLeast(512), "log readers in many pods run out of it"),
    setting("kernel.pid_max", Wanted::AtLeast(32_768), "many pods run out of it"),
];

const fn setting(name: &'static str, wanted: Wanted, why: &'static str) -> Setting {
    Setting { name, wanted, why }
}

/// What was found of a setting.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is as it should be; its value.
    Passed(String),
    /// It is not; how.
    Failed(String),
    /// It was not looked at; why.
    Skipped(String),
    /// It cannot be read; why.
    Unknown(String),
}

impl Setting {
    /// Returns its file below `/proc/sys`.
    pub(crate) fn path(&self) -> String {
        self.name.replace('.', "/")
    }
}

/// Judges a setting by what its file says, or by why it cannot be read.
pub(crate) fn judge(setting: &Setting, value: Result<String, ErrorKind>) -> Verdict {
    let value = match value {
        Ok(value) => value.trim().to_owned(),
        Err(ErrorKind::NotFound) => return Verdict::Skipped("this kernel does not have it".to_owned()),
        Err(kind) => return Verdict::Unknown(format!("it cannot be read: {kind}")),
    };
    let Ok(number) = value.parse::<u64>() else { return Verdict::Unknown(format!("`{value}` is no number")) };
    let (good, wanted) = match setting.wanted {
        Wanted::Exactly(wanted) => (number == wanted, wanted.to_string()),
        Wanted::AtLeast(wanted) => (number >= wanted, format!("at least {wanted}")),
    };
    if good { Verdict::Passed(value) } else { Verdict::Failed(format!("it is {value}, not {wanted}: {}", setting.why)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(name: &str, value: Result<&str, ErrorKind>) -> Verdict {
        let setting = SETTINGS.iter().find(|setting| setting.name == name).expect("a setting");
        judge(setting, value.map(str::to_owned))
    }

    #[test]
    fn a_setting_is_judged_by_its_value() {
        assert_eq!(judged("kernel.panic", Ok("10\n")), Verdict::Passed("10".to_owned()));
        assert_eq!(judged("kernel.pid_max", Ok("4194304")), Verdict::Passed("4194304".to_owned()));
        assert_eq!(
            judged("net.ipv4.ip_forward", Ok("0\n")),
            Verdict::Failed("it is 0, not 1: packets of pods are forwarded".to_owned())
        );
        assert_eq!(
            judged("kernel.pid_max", Ok("10")),
            Verdict::Failed("it is 10, not at least 32768: many pods run out of it".to_owned())
        );
    }

    #[test]
    fn what_cannot_be_read_is_not_passed() {
        assert!(matches!(judged("kernel.panic", Err(ErrorKind::NotFound)), Verdict::Skipped(_)));
        assert!(matches!(judged("kernel.panic", Err(ErrorKind::PermissionDenied)), Verdict::Unknown(_)));
        assert!(matches!(judged("kernel.panic", Ok("x")), Verdict::Unknown(_)));
    }
}
