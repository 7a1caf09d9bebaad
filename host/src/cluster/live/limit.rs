//! What a live cluster may cost: every bound on a request, with its unit and what happens without it.

use std::time::Duration;

/// Objects per page of a list where the caller does not say. As in `kubectl --chunk-size`; without
/// pages one list of a large cluster is gigabytes in the API server's memory and in ours.
pub const PAGE_OBJECTS: u32 = 500;

/// Bytes of one page. A server that is wrong or hostile would otherwise fill the memory.
pub const PAGE_BYTES: usize = 256 << 20;

/// Bytes of any other answer: an object, discovery, a `Status`. etcd refuses objects above 1.5 MiB;
/// the aggregated discovery of a cluster with hundreds of CRDs has a few MiB.
pub const ANSWER_BYTES: usize = 32 << 20;

/// Bytes of a kubelet's answer. `/stats/summary` of a node with 250 pods has about 1 MiB.
pub const NODE_BYTES: usize = 16 << 20;

/// Bytes of one event of a watch, which holds one object. Without it, a line without an end would
/// be kept whole.
pub const WATCH_EVENT_BYTES: usize = 16 << 20;

/// Bytes of the objects that one watch remembers to be able to say what changed while it was cut off.
pub const WATCH_KNOWN_BYTES: usize = 256 << 20;

/// Requests at the same time. More would only wait in the server's priority queues, before everybody else's.
pub const CONCURRENT_REQUESTS: usize = 8;

/// Time to make a connection.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Time for one attempt, from sending to the answer's last byte. The API server itself gives up at 60 s.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(65);

/// Time for a kubelet to answer through the API server. A dead node would otherwise hold up a run
/// for the API server's own 60 s.
pub const NODE_TIMEOUT: Duration = Duration::from_secs(20);

/// Time without a byte after which a log's or a watch's stream counts as lost. The server sends a bookmark
/// every minute and ends a watch after [`WATCH_SECONDS`].
pub const STREAM_IDLE: Duration = Duration::from_secs(330);

/// Seconds after which the server is asked to end a watch, so that a connection that died silently is noticed.
pub const WATCH_SECONDS: u32 = 290;

/// Attempts for one request.
pub const ATTEMPTS: u32 = 12;

/// Attempts for the first request of a connection: a wrong address should be said soon.
pub const FIRST_ATTEMPTS: u32 = 3;

/// Time over all attempts, waits included. An API server that restarts is away for 10 to 40 s.
pub const TOTAL_TIME: Duration = Duration::from_secs(90);

/// How long discovery is believed; later a new question is asked, so that new CRDs are seen.
pub const DISCOVERY_AGE: Duration = Duration::from_secs(300);
