//! When to ask again, and how long to wait before: a pure decision.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// The wait after the first failure; it doubles with each.
const FIRST_WAIT: Duration = Duration::from_millis(250);
/// The longest wait that we choose by ourselves.
const LONGEST_WAIT: Duration = Duration::from_secs(8);
/// The longest wait that a server may ask for with `Retry-After`. A hostile one would otherwise park us for ever.
const LONGEST_ASKED: Duration = Duration::from_secs(30);

/// What may be sent twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeat {
    /// A read: after any failure that may pass.
    Read,
    /// A write: only when the server cannot have acted on it.
    Write,
    /// A question that the API server hands on to a kubelet: its 5xx are the node's, and stay.
    Proxied,
    /// An eviction: a 429 is the answer of a `PodDisruptionBudget`, not of a busy server.
    Eviction,
}

/// How an attempt failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    /// Nobody listens; nothing was sent.
    NotConnected,
    /// The connection was lost or took too long; the server may have acted.
    Broken,
    /// It cannot be better the next time: TLS, credentials that cannot be read.
    Permanent,
    /// An HTTP error, with the seconds of `Retry-After`.
    Answered(u16, Option<u64>),
}

/// Returns how long to wait before the next attempt after `attempt` failures (1 for the first); `None` to give up.
pub(super) fn wait(repeat: Repeat, failure: Failure, attempt: u32) -> Option<Duration> {
    let asked = match (failure, repeat) {
        (Failure::Permanent, _) | (Failure::Broken, Repeat::Write | Repeat::Eviction) => return None,
        (Failure::NotConnected | Failure::Broken, _) => None,
        (Failure::Answered(429, after), Repeat::Read | Repeat::Write | Repeat::Proxied)
        | (Failure::Answered(500 | 502..=504, after), Repeat::Read) => after,
        (Failure::Answered(..), _) => return None,
    };
    let own =
        FIRST_WAIT.saturating_mul(1_u32.checked_shl(attempt.saturating_sub(1)).unwrap_or(u32::MAX)).min(LONGEST_WAIT);
    let least = asked.map_or(Duration::ZERO, |seconds| Duration::from_secs(seconds).min(LONGEST_ASKED));
    Some(own.max(least).mul_f64(1.0 + jitter() / 2.0))
}

/// Returns a random number from 0 to 1, so that those who failed together do not come back together.
fn jitter() -> f64 {
    let random = RandomState::new().build_hasher().finish();
    f64::from(u32::try_from(random >> 32).unwrap_or_default()) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_bound_and_vary() {
        for (attempt, least) in [(1, 250), (2, 500), (3, 1000), (6, 8000), (40, 8000)] {
            let waited = wait(Repeat::Read, Failure::Broken, attempt).expect("a lost connection is tried again");
            let least = Duration::from_millis(least);
            assert!(waited >= least && waited <= least.mul_f64(1.5), "attempt {attempt} waits {waited:?}");
        }
    }

    #[test]
    fn retry_after_is_respected_but_not_believed_blindly() {
        let waited = |seconds| {
            wait(Repeat::Write, Failure::Answered(429, Some(seconds)), 1).expect("a busy server is asked again")
        };
        assert!(waited(3) >= Duration::from_secs(3));
        assert!(waited(1_000_000) <= Duration::from_secs(45));
    }

    #[test]
    fn a_write_is_sent_again_only_when_the_server_cannot_have_acted() {
        assert!(wait(Repeat::Write, Failure::NotConnected, 1).is_some());
        assert_eq!(wait(Repeat::Write, Failure::Broken, 1), None);
        assert_eq!(wait(Repeat::Write, Failure::Answered(500, None), 1), None);
        assert!(wait(Repeat::Read, Failure::Answered(500, None), 1).is_some());
    }

    #[test]
    fn answers_that_will_not_change_are_final() {
        for code in [400, 401, 403, 404, 409, 410, 422, 501] {
            assert_eq!(wait(Repeat::Read, Failure::Answered(code, None), 1), None, "{code}");
        }
        assert_eq!(wait(Repeat::Eviction, Failure::Answered(429, Some(10)), 1), None);
        assert_eq!(wait(Repeat::Proxied, Failure::Answered(503, None), 1), None);
        assert_eq!(wait(Repeat::Read, Failure::Permanent, 1), None);
    }
}
