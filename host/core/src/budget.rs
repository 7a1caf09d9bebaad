//! Counting what a plugin uses against what it may use.

use std::time::Duration;

use crate::limits::Limits;

/// A bound is used up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the plugin's bound `{name}` of {value} is used up; the operator may raise it as `limits.{name}` in the plugin's grant"
)]
pub struct BudgetExceeded {
    /// The name of the bound, as in `spec.limits` of the manifest.
    pub name: &'static str,
    /// Its value: bytes, or a number of things.
    pub value: u64,
}

/// What one plugin has used in one call. Reads no clock: the caller gives the time since the call began.
#[derive(Debug, Clone)]
pub struct Meter {
    limits: Limits,
    host_calls: u64,
    watches: u64,
    /// When the bucket would be full again (the generic cell rate algorithm's theoretical arrival time).
    full_at: Duration,
}

fn count(used: &mut u64, more: u64, name: &'static str, value: u64) -> Result<(), BudgetExceeded> {
    match used.checked_add(more).filter(|sum| *sum <= value) {
        Some(sum) => {
            *used = sum;
            Ok(())
        }
        None => Err(BudgetExceeded { name, value }),
    }
}

impl Meter {
    /// Returns a meter on which nothing is used yet.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, host_calls: 0, watches: 0, full_at: Duration::ZERO }
    }

    /// Returns the bounds.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns how many host functions were called.
    #[must_use]
    pub fn host_calls(&self) -> u64 {
        self.host_calls
    }

    /// Counts one call of a host function.
    ///
    /// # Errors
    ///
    /// When there were as many as `hostCalls` before it.
    pub fn host_call(&mut self) -> Result<(), BudgetExceeded> {
        count(&mut self.host_calls, 1, "hostCalls", self.limits.host_calls)
    }

    /// Counts one request to the API server and returns how long to wait before sending it; zero while no
    /// more than `apiRequestsPerSecond` are sent at once. `now` must not run backwards.
    pub fn request(&mut self, now: Duration) -> Duration {
        let second = Duration::from_secs(1);
        let rate = u32::try_from(self.limits.api_requests_per_second.max(1)).unwrap_or(u32::MAX);
        let interval = second / rate;
        let wait = (self.full_at + interval).saturating_sub(second + now);
        self.full_at = self.full_at.max(now).saturating_add(interval);
        wait
    }

    /// Returns a meter for one list.
    #[must_use]
    pub fn list(&self) -> ListMeter {
        ListMeter { most_objects: self.limits.list_objects, most_bytes: self.limits.list_bytes, objects: 0, bytes: 0 }
    }

    /// Counts a watch that is opened.
    ///
    /// # Errors
    ///
    /// When as many as `watches` are open.
    pub fn open_watch(&mut self) -> Result<(), BudgetExceeded> {
        count(&mut self.watches, 1, "watches", self.limits.watches)
    }

    /// Counts a watch that is closed.
    pub fn close_watch(&mut self) {
        self.watches = self.watches.saturating_sub(1);
    }
}

/// What one list has used.
#[derive(Debug, Clone)]
pub struct ListMeter {
    most_objects: u64,
    most_bytes: u64,
    objects: u64,
    bytes: u64,
}

impl ListMeter {
    /// Counts an object of so many bytes.
    ///
    /// # Errors
    ///
    /// When the list would pass `listObjects` or `listBytes`.
    pub fn object(&mut self, bytes: u64) -> Result<(), BudgetExceeded> {
        count(&mut self.objects, 1, "listObjects", self.most_objects)?;
        count(&mut self.bytes, bytes, "listBytes", self.most_bytes)
    }

    /// Returns how many objects and bytes were counted.
    #[must_use]
    pub fn used(&self) -> (u64, u64) {
        (self.objects, self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_lets_through_exactly_its_value() {
        let mut meter = Meter::new(Limits { host_calls: 2, watches: 1, ..Limits::default() });
        assert_eq!((meter.host_call(), meter.host_call()), (Ok(()), Ok(())));
        assert_eq!(meter.host_call(), Err(BudgetExceeded { name: "hostCalls", value: 2 }));
        assert_eq!(meter.open_watch(), Ok(()));
        assert_eq!(meter.open_watch(), Err(BudgetExceeded { name: "watches", value: 1 }));
        meter.close_watch();
        assert_eq!(meter.open_watch(), Ok(()), "a closed watch makes room");
    }

    #[test]
    fn each_list_is_counted_by_itself() {
        let meter = Meter::new(Limits { list_objects: 2, list_bytes: 10, ..Limits::default() });
        let mut list = meter.list();
        assert_eq!((list.object(4), list.object(6)), (Ok(()), Ok(())));
        assert_eq!(list.object(0), Err(BudgetExceeded { name: "listObjects", value: 2 }));
        assert_eq!(meter.list().object(11), Err(BudgetExceeded { name: "listBytes", value: 10 }));
        let mut list = meter.list();
        assert_eq!(list.object(4), Ok(()));
        assert!(list.object(u64::MAX).is_err(), "a sum beyond counting is beyond the bound");
    }

    #[test]
    fn requests_wait_once_the_second_is_used_up() {
        let mut meter = Meter::new(Limits { api_requests_per_second: 4, ..Limits::default() });
        let milliseconds = Duration::from_millis;
        let waits: Vec<_> = (0..6).map(|_| meter.request(milliseconds(100)).as_millis()).collect();
        assert_eq!(waits, [0, 0, 0, 0, 250, 500]);
        assert_eq!(meter.request(milliseconds(5000)), Duration::ZERO, "a quiet time fills the bucket");
    }
}
