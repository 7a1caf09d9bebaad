//! Checks workloads, services, roles and `ConfigMap`s: what at least four of the usual linters do by default.
//!
//! One finding per owner and check: what a controller made is judged by the controller's template. A kind
//! that cannot be read gives an unknown item for each check that needs it, never a passed one.

mod checks;
mod gather;
mod glob;
mod objects;
mod settings;
mod world;

use porthole_sdk::results::Reporter;
use porthole_sdk::{Context, Failure, Producer, config, progress};

use checks::{CHECKS, Check};
use settings::Settings;
use world::World;

/// The plugin.
pub struct WorkloadChecks;

impl Producer for WorkloadChecks {
    fn produce(_context: &Context) -> Result<(), Failure> {
        let settings = Settings::read(config::get()?, &CHECKS.map(|check| check.name))?;
        let world = World::read()?;
        let steps = progress::Steps::new(CHECKS.len());
        let mut reporter = Reporter::new();
        for check in &CHECKS {
            run(check, &settings, &world, &mut reporter)?;
            steps.done(check.name);
        }
        reporter.finish()?;
        Ok(())
    }
}

fn run(check: &Check, settings: &Settings, world: &World, reporter: &mut Reporter) -> Result<(), Failure> {
    let Some(severity) = settings.severity(check) else { return Ok(()) };
    let blind: Vec<_> = world.missing(check.looks_up).collect();
    let missing: Vec<_> = world.missing(check.needs).chain(blind.iter().copied()).collect();
    if !missing.is_empty() {
        reporter.push(checks::unknown(check, &missing))?;
    }
    if !blind.is_empty() {
        return Ok(());
    }
    for judged in checks::judge(check, world) {
        reporter.push(checks::item(check, severity, settings, judged))?;
    }
    Ok(())
}

porthole_sdk::producer!(WorkloadChecks, manifest = "plugin.yaml");

#[cfg(test)]
mod tests;
