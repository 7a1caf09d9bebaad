//! The default of every bound on a plugin.

use std::time::Duration;

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;

/// 64 MiB of linear memory and tables per instance. Without it, a guest grows to 4 GiB and the host is killed for it.
pub const MEMORY: u64 = 64 * MIB;
/// 256 MiB for a producer, which may hold a cluster's worth of objects. Without it, as for [`MEMORY`].
pub const PRODUCER_MEMORY: u64 = 256 * MIB;
/// 10 s on the processor per call. Without it, an endless loop keeps a core for good.
pub const CPU: Duration = Duration::from_secs(10);
/// 5 min on the wall per call, with waiting. Without it, a guest that waits for a silent server never ends its run.
pub const TIMEOUT: Duration = Duration::from_secs(5 * 60);
/// 100,000 calls of host functions. Without it, cheap calls in a loop keep the host busy and fill the audit.
pub const HOST_CALLS: u64 = 100_000;
/// 50 requests per second to the API server. Without it, a guest takes the API server away from the cluster.
pub const API_REQUESTS_PER_SECOND: u64 = 50;
/// 64 MiB per list. Without it, one list of large objects fills the host's memory or disk.
pub const LIST_BYTES: u64 = 64 * MIB;
/// 100,000 objects per list. Without it, a list of countless small objects does the same by its bookkeeping.
pub const LIST_OBJECTS: u64 = 100_000;
/// 8 watches open at once. Without it, a guest holds as many connections and buffers as it likes.
pub const WATCHES: u64 = 8;
/// 64 MiB per file of results. Without it, one file fills the disk.
pub const OUTPUT_FILE: u64 = 64 * MIB;
/// 512 MiB of results per plugin. Without it, many files together fill the disk.
pub const OUTPUT: u64 = 512 * MIB;
/// 10,000 files per plugin. Without it, empty files use up the file system's inodes.
pub const FILES: u64 = 10_000;
/// 100,000 items per plugin. Without it, empty items fill the memory of whoever reads the report.
pub const ITEMS: u64 = 100_000;
/// 1 MiB of details per item, counted within [`OUTPUT`] too. Without it, one item makes every report unreadable.
pub const ITEM_DETAILS: u64 = MIB;
/// 10,000 lines of log. Without it, a guest floods the log and hides what others say.
pub const LOG_LINES: u64 = 10_000;
/// 8 KiB per line of log; the rest of a longer line is cut. Without it, one line fills the log.
pub const LOG_LINE: u64 = 8 * KIB;
/// 10,000 resources held at once. Without it, a guest fills the host's table of handles.
pub const RESOURCES: u64 = 10_000;
/// 16 MiB per HTTP body. Without it, a guest lets a remote server fill the host's memory.
pub const HTTP_BODY: u64 = 16 * MIB;
/// 64 MiB for the component's file. Without it, loading a plugin fills the host's memory.
pub const COMPONENT: u64 = 64 * MIB;
/// 60 s to compile a component. Without it, a component of 100,000 functions keeps every core busy at start.
pub const COMPILE_TIME: Duration = Duration::from_secs(60);
/// 256 KiB for a manifest. Without it, parsing YAML takes the memory and time that its author chooses.
pub const MANIFEST: u64 = 256 * KIB;
