//! What each plugin of a run is granted, and by whom.

use std::path::{Path, PathBuf};

use porthole_core::grant::{Grants, GrantsFile};
use porthole_core::limits::OperatorLimits;

use super::{AppError, bundled};
use crate::registry::{Candidate, Origin};

/// Where grants come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GrantSource {
    /// Grants files of the operator; the first that knows a plugin decides.
    pub files: Vec<PathBuf>,
    /// Whether every plugin gets exactly what it asks for.
    pub requested: bool,
}

/// What one plugin is granted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Granted {
    /// The rules; nothing by default.
    pub grants: Grants,
    /// Bounds that the operator set for it.
    pub limits: OperatorLimits,
}

/// All grants of an operator, read and ready.
pub(super) struct Book {
    files: Vec<GrantsFile>,
    bundled: GrantsFile,
    requested: bool,
}

impl Book {
    pub(super) fn open(source: &GrantSource) -> Result<Self, AppError> {
        let files = source.files.iter().map(|path| read(path)).collect::<Result<_, _>>()?;
        Ok(Self { files, bundled: bundled::grants()?, requested: source.requested })
    }

    /// Looks a plugin up. The bundled grants are for bundled components alone: a file that calls itself
    /// like one gets nothing by it.
    pub(super) fn look_up(&self, candidate: &Candidate) -> Granted {
        let digest = candidate.component.as_ref().map_or("", |component| component.digest.as_str());
        let of_operator = self.files.iter().find_map(|file| file.grant_for(candidate.name(), digest));
        if let Some(grant) = of_operator {
            return Granted { grants: grant.grants(), limits: grant.limits.clone().unwrap_or_default() };
        }
        if self.requested {
            return Granted {
                grants: Grants::from_requests(&candidate.manifest.requests),
                limits: OperatorLimits::default(),
            };
        }
        if candidate.origin == Origin::Embedded
            && let Some(grant) = self.bundled.grant_for(candidate.name(), digest)
        {
            return Granted { grants: grant.grants(), limits: grant.limits.clone().unwrap_or_default() };
        }
        Granted::default()
    }
}

fn read(path: &Path) -> Result<GrantsFile, AppError> {
    let text = std::fs::read_to_string(path).map_err(|source| AppError::File { path: path.to_owned(), source })?;
    GrantsFile::parse(&text).map_err(|error| AppError::Usage {
        message: format!("grants file `{}`: {error}", path.display()),
        hint: Some("its form is described in docs/grants.md".to_owned()),
    })
}
