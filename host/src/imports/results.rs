//! `porthole:plugin/results`.

use porthole_bindings::porthole::plugin::results::{self as wit, Error, File, Host, HostFile, Item, Limit, Status};
use serde_json::{Map, Value};
use wasmtime::component::Resource;

use super::guest::Guest;
use super::report::{Placement, ReportError, ReportFile, ReportedItem, ReportedStatus};

/// What the resource `file` stands for.
struct OpenFile(Box<dyn ReportFile>);

impl Host for Guest {
    async fn create_file(
        &mut self,
        placement: wit::Placement,
        path: String,
        media_type: String,
    ) -> wasmtime::Result<Result<Resource<File>, Error>> {
        self.host_call("results", "create-file")?;
        let placement = match placement {
            wit::Placement::Plugin => Placement::Plugin,
            wit::Placement::Cluster => Placement::Cluster,
        };
        if placement == Placement::Cluster && !self.gate().may_collect() {
            return Ok(Err(Error::Denied(self.gate().collect_remedy())));
        }
        match self.reporter().create_file(placement, &path, &media_type) {
            Ok(file) => self.own(OpenFile(file)).map(Ok),
            Err(error) => Ok(Err(error.into())),
        }
    }

    async fn report(&mut self, items: Vec<Item>) -> wasmtime::Result<Result<(), Error>> {
        self.host_call("results", "report")?;
        let items = items.into_iter().map(read_item).collect::<Result<Vec<_>, _>>();
        Ok(items.and_then(|items| self.reporter().items(items)).map_err(Error::from))
    }
}

impl HostFile for Guest {
    async fn write(&mut self, file: Resource<File>, bytes: Vec<u8>) -> wasmtime::Result<Result<(), Error>> {
        self.host_call("results", "file.write")?;
        let OpenFile(file) = self.lent::<OpenFile, _>(&file)?;
        Ok(file.write(&bytes).map_err(Error::from))
    }

    async fn drop(&mut self, file: Resource<File>) -> wasmtime::Result<()> {
        self.dispose::<OpenFile, _>(&file)
    }
}

fn read_item(item: Item) -> Result<ReportedItem, ReportError> {
    let status = match item.status {
        Status::Passed => ReportedStatus::Passed,
        Status::Failed => ReportedStatus::Failed,
        Status::Skipped => ReportedStatus::Skipped,
        Status::Unknown => ReportedStatus::Unknown,
        Status::Custom(word) => ReportedStatus::Custom(word),
    };
    Ok(ReportedItem { path: item.path, status, details: read_details(&item.details)? })
}

fn read_details(text: &str) -> Result<Map<String, Value>, ReportError> {
    if text.is_empty() {
        return Ok(Map::new());
    }
    serde_json::from_str(text).map_err(|error| ReportError::InvalidDetails(error.to_string()))
}

impl From<ReportError> for Error {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::InvalidPath(path) => Self::InvalidPath(path),
            ReportError::Exists(path) => Self::Exists(path),
            ReportError::LimitExceeded { name, value } => Self::LimitExceeded(Limit { name: name.to_owned(), value }),
            ReportError::InvalidDetails(what) => Self::InvalidDetails(what),
            ReportError::Denied(remedy) => Self::Denied(remedy),
            ReportError::Storage(what) => Self::Storage(what),
        }
    }
}
