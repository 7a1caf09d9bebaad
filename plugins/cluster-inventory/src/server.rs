//! `serverversion.json` and `servergroups.json`.

use std::io::Write;

use porthole_sdk::Failure;
use porthole_sdk::kubernetes::{self, Error};
use porthole_sdk::results::{self, Reporter};

use crate::outcome::{Collected, Trouble, item};

/// Collects what the server says of itself.
pub(crate) fn collect(reporter: &mut Reporter) -> Result<(), Failure> {
    reporter.push(item(["server", "version"], write("serverversion.json", kubernetes::server_version())))?;
    reporter.push(item(["server", "groups"], write("servergroups.json", kubernetes::server_groups())))?;
    Ok(())
}

fn write(path: &str, answer: Result<Vec<u8>, Error>) -> Result<Collected, Trouble> {
    let answer = answer?;
    let mut file = results::create_cluster_file(path)?;
    file.write_all(&answer)?;
    file.finish()?;
    Ok(Collected { objects: 0, bytes: answer.len() as u64 })
}
