//! How the `porthole` process ends.

/// The exit code of every `porthole` command; scripts may rely on it.
///
/// When several apply, the highest number wins, except that a run which was able to say something
/// about the cluster reports [`ExitCode::PluginFailed`] before [`ExitCode::Findings`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ExitCode {
    /// 0: everything was done, and every item passed or was skipped.
    Passed = 0,
    /// 1: everything was done, and at least one item failed or could not be decided.
    Findings = 1,
    /// 2: the command line, a configuration, a manifest or a file given by the user is wrong.
    Usage = 2,
    /// 3: at least one plugin could not be run to its end: it was refused, trapped, or ran out of time.
    PluginFailed = 3,
    /// 4: the cluster could not be reached or read.
    ClusterUnreachable = 4,
    /// 5: the host itself could not go on, for instance because the disk is full.
    Internal = 5,
    /// 130: stopped by Ctrl-C; what was collected until then was written.
    Interrupted = 130,
}

impl ExitCode {
    /// Every exit code, in numerical order.
    pub const ALL: [Self; 7] = [
        Self::Passed,
        Self::Findings,
        Self::Usage,
        Self::PluginFailed,
        Self::ClusterUnreachable,
        Self::Internal,
        Self::Interrupted,
    ];

    /// Returns the number that the process ends with.
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Returns what the code means, as one line for `porthole help` and the documentation.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Passed => "all passed",
            Self::Findings => "at least one item failed or could not be decided",
            Self::Usage => "wrong usage, configuration or input",
            Self::PluginFailed => "a plugin could not be run to its end",
            Self::ClusterUnreachable => "the cluster could not be reached or read",
            Self::Internal => "the host could not go on, for instance because the disk is full",
            Self::Interrupted => "interrupted; what was collected until then was written",
        }
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code.code())
    }
}
