//! Amounts as people write them: `64Mi`, `500M`, `1h30m`, or a plain number.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Why an amount was not understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuantityError {
    /// Not an amount of bytes.
    #[error(
        "`{0}` is not an amount of bytes; write a whole number with or without a unit, such as `64Mi`, `1Gi`, `500M` or `1048576` (units: k, M, G, T, Ki, Mi, Gi, Ti)"
    )]
    Bytes(String),
    /// Not a time.
    #[error(
        "`{0}` is not a time; write whole numbers with units, such as `10s`, `5m`, `1h30m` or `250ms`, or a plain number of seconds"
    )]
    Span(String),
    /// Not a count.
    #[error("`{0}` is not a count; write a whole number such as `10000`, or with a unit such as `10k`")]
    Count(String),
    /// Zero would mean that the plugin cannot start or that there is no bound; nobody can tell which.
    #[error("`{0}` is no bound; write at least 1, or leave it out for the default")]
    Zero(String),
    /// Greater than the host can count.
    #[error("`{0}` is too large; the greatest value is 2^63 - 1")]
    TooLarge(String),
}

/// Longest amount that is looked at, in bytes. Without it, an error would repeat a megabyte of digits.
const LONGEST: usize = 32;

fn shown(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}

fn scaled(digits: &str, factor: u64, text: &str, wrong: fn(String) -> QuantityError) -> Result<u64, QuantityError> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong(shown(text)));
    }
    let value = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    match value {
        Some(0) => Err(QuantityError::Zero(shown(text))),
        Some(value) if i64::try_from(value).is_ok() => Ok(value),
        _ => Err(QuantityError::TooLarge(shown(text))),
    }
}

fn split_unit(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}

/// A number of bytes. Written in Kubernetes' form (`64Mi`, `500M`, `1024`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

impl FromStr for Bytes {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (digits, unit) = split_unit(text);
        let factor = match unit {
            "" => 1,
            "k" => 1000,
            "M" => 1000_u64.pow(2),
            "G" => 1000_u64.pow(3),
            "T" => 1000_u64.pow(4),
            "Ki" => 1 << 10,
            "Mi" => 1 << 20,
            "Gi" => 1 << 30,
            "Ti" => 1 << 40,
            _ => return Err(QuantityError::Bytes(shown(text))),
        };
        scaled(digits, factor, text, QuantityError::Bytes).map(Self)
    }
}

/// The greatest binary unit that divides it.
impl fmt::Display for Bytes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (shift, unit) in [(40, "Ti"), (30, "Gi"), (20, "Mi"), (10, "Ki")] {
            if self.0 != 0 && self.0.trailing_zeros() >= shift {
                return write!(formatter, "{}{unit}", self.0 >> shift);
            }
        }
        write!(formatter, "{}", self.0)
    }
}

/// A number of things. Written plainly, or in thousands (`10k`) or millions (`1M`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Count(pub u64);

impl FromStr for Count {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (digits, unit) = split_unit(text);
        let factor = match unit {
            "" => 1,
            "k" => 1000,
            "M" => 1_000_000,
            _ => return Err(QuantityError::Count(shown(text))),
        };
        scaled(digits, factor, text, QuantityError::Count).map(Self)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

/// A length of time. Written as Go does (`10s`, `1h30m`, `250ms`), or as a plain number of seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(pub Duration);

impl FromStr for Span {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || QuantityError::Span(shown(text));
        let too_large = || QuantityError::TooLarge(shown(text));
        let mut rest = text;
        let mut total: u64 = 0;
        let mut previous = u64::MAX;
        while !rest.is_empty() {
            let (digits, tail) = split_unit(rest);
            let unit_length = tail.bytes().take_while(u8::is_ascii_alphabetic).count();
            let (unit, tail) = tail.split_at(unit_length);
            let milliseconds: u64 = match unit {
                "h" => 3_600_000,
                "m" => 60_000,
                "s" => 1000,
                "ms" => 1,
                "" if digits == text => 1000,
                _ => return Err(wrong()),
            };
            if digits.is_empty() || milliseconds >= previous {
                return Err(wrong());
            }
            previous = milliseconds;
            let part = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(milliseconds));
            total = part.and_then(|part| total.checked_add(part)).ok_or_else(too_large)?;
            rest = tail;
        }
        if text.is_empty() {
            return Err(wrong());
        }
        if total == 0 {
            return Err(QuantityError::Zero(shown(text)));
        }
        if i64::try_from(total).is_err() {
            return Err(too_large());
        }
        Ok(Self(Duration::from_millis(total)))
    }
}

impl fmt::Display for Span {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0.as_millis();
        if rest == 0 {
            return formatter.write_str("0s");
        }
        for (milliseconds, unit) in [(3_600_000, "h"), (60_000, "m"), (1000, "s"), (1, "ms")] {
            if rest >= milliseconds {
                write!(formatter, "{}{unit}", rest / milliseconds)?;
                rest %= milliseconds;
            }
        }
        Ok(())
    }
}

macro_rules! text_or_number {
    ($($kind:ident: $expecting:literal;)*) => {$(
        impl Serialize for $kind {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $kind {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct TextOrNumber;
                impl Visitor<'_> for TextOrNumber {
                    type Value = $kind;
                    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                        formatter.write_str($expecting)
                    }
                    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
                        self.visit_str(&number.to_string())
                    }
                    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                        text.parse().map_err(E::custom)
                    }
                }
                deserializer.deserialize_any(TextOrNumber)
            }
        }
    )*};
}

text_or_number! {
    Bytes: "an amount of bytes such as `64Mi`";
    Count: "a whole number such as `10000`";
    Span: "a time such as `10s` or `5m`";
}
