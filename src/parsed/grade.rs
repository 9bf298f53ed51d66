//! [`Grade`]: the grade on a slab.

use super::{GraderCode, owned};
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;

/// The grade on a slab.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Grade<'t> {
    /// `PSA`, `BGS`, `CGC`, `SGC`, `TAG`, `ACE`, …
    pub grader: Cow<'t, str>,
    /// `GRADER_A` = PSA, `GRADER_B` = BGS, `GRADER_C` = CGC, `GRADER_D` = SGC; absent for the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub grader_code: Option<GraderCode>,
    /// The number on the label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<GradeValue>,
    /// The word on the label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'t, str>>,
    /// `OC`, `MK`, `MC`, `ST`, `PD`, `OF`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qualifier: Option<Cow<'t, str>>,
    /// Certificate number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cert_number: Option<Cow<'t, str>>,
    /// Grade of the signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub autograph: Option<GradeValue>,
}

impl Grade<'_> {
    /// The same, free of the title and the engine.
    #[must_use]
    pub fn into_owned(self) -> Grade<'static> {
        Grade {
            grader: owned(self.grader),
            grader_code: self.grader_code,
            value: self.value,
            label: self.label.map(owned),
            qualifier: self.qualifier.map(owned),
            cert_number: self.cert_number.map(owned),
            autograph: self.autograph,
        }
    }
}

/// A grade in halves: `9.5` is 19. Written to JSON as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(value_type = f32, minimum = 0.5, maximum = 10, multiple_of = 0.5))]
pub struct GradeValue(u8);

/// The grades that titles state, by their halves.
const WRITTEN: [&str; 21] = [
    "0", "0.5", "1", "1.5", "2", "2.5", "3", "3.5", "4", "4.5", "5", "5.5", "6", "6.5", "7", "7.5",
    "8", "8.5", "9", "9.5", "10",
];

impl GradeValue {
    /// A grade of `halves` halves: 20 for 10.
    #[must_use]
    pub fn from_halves(halves: u8) -> Self {
        Self(halves)
    }

    /// Reads `10`, `9.5`, `8,5`, `8½`, down to the `0.5` of CGC; other fractions and values over 10
    /// are not grades.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, half) = match text.strip_suffix('½') {
            Some(whole) => (whole, true),
            None => match text.split_once(['.', ',']) {
                Some((whole, "5")) => (whole, true),
                Some((whole, "0")) => (whole, false),
                Some(_) => return None,
                None => (text, false),
            },
        };
        if whole.len() > 2 || !whole.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let halves = whole.parse::<u8>().ok()?.checked_mul(2)? + u8::from(half);
        (1..=20).contains(&halves).then_some(Self(halves))
    }

    /// The grade in halves.
    #[must_use]
    #[inline]
    pub fn halves(self) -> u8 {
        self.0
    }

    /// As it is displayed.
    pub(crate) fn text(self) -> Cow<'static, str> {
        match WRITTEN.get(usize::from(self.0)) {
            Some(&written) => written.into(),
            None => self.to_string().into(),
        }
    }
}

impl std::fmt::Display for GradeValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}{}",
            self.0 / 2,
            if self.0 % 2 == 1 { ".5" } else { "" }
        )
    }
}

impl Serialize for GradeValue {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(2) {
            serializer.serialize_u8(self.0 / 2)
        } else {
            serializer.serialize_f32(f32::from(self.0) / 2.0)
        }
    }
}

impl<'de> Deserialize<'de> for GradeValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let halves = f64::deserialize(deserializer)? * 2.0;
        if halves.fract() == 0.0 && (0.0..=f64::from(u8::MAX)).contains(&halves) {
            Ok(Self(halves as u8))
        } else {
            let what = format!("{} is not a grade: grades are halves", halves / 2.0);
            Err(serde::de::Error::custom(what))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_are_written_as_they_are_displayed() {
        for halves in 0..=u8::MAX {
            let value = GradeValue::from_halves(halves);
            assert_eq!(value.text(), value.to_string());
        }
    }
}
