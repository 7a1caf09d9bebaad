//! What a plugin says to its operator while it works.
//!
//! Use the macros: `log::info!("read {} pods", number)`.

/// How much a line matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Steps of interest to the plugin's author alone.
    Trace,
    /// Details that explain a result.
    Debug,
    /// What a reader of the run's log wants to know.
    Info,
    /// Something is not as expected, and the result stands all the same.
    Warn,
    /// The plugin could not do a part of its work.
    Error,
}

/// Writes a line. `fields` keep what varies out of `message`, so that lines can be counted.
pub fn write(level: Level, message: &str, fields: &[(&str, &str)]) {
    crate::host::log(level, message, fields);
}

#[doc(hidden)]
#[macro_export]
macro_rules! __log {
    ($level:ident, $($argument:tt)+) => {
        $crate::__private::write($crate::__private::Level::$level, &::std::format!($($argument)+), &[])
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __debug { ($($argument:tt)+) => { $crate::__log!(Debug, $($argument)+) }; }
#[doc(hidden)]
#[macro_export]
macro_rules! __info { ($($argument:tt)+) => { $crate::__log!(Info, $($argument)+) }; }
#[doc(hidden)]
#[macro_export]
macro_rules! __warn { ($($argument:tt)+) => { $crate::__log!(Warn, $($argument)+) }; }
#[doc(hidden)]
#[macro_export]
macro_rules! __error { ($($argument:tt)+) => { $crate::__log!(Error, $($argument)+) }; }

#[doc(inline)]
pub use crate::{__debug as debug, __error as error, __info as info, __warn as warn};
