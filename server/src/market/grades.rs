//! [`Grader`], [`Grade`] and [`GradeKey`]: who graded a card, how well, and both as one word
//! (`GRADER_B_9_5`); [`Counts`] of them.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use utoipa::ToSchema;

/// One of the four tracked grading companies. The configuration says which company each of them is
/// ([`Companies`]).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
pub enum Grader {
    /// Whole grades, authentic, and grades with a qualifier.
    #[serde(rename = "GRADER_A")]
    A,
    /// Half grades, and two labels above 10: Pristine, and Perfect (Black Label).
    #[serde(rename = "GRADER_B")]
    B,
    /// Half grades.
    #[serde(rename = "GRADER_C")]
    C,
    /// Whole grades.
    #[serde(rename = "GRADER_D")]
    D,
}

impl Grader {
    /// All four.
    pub const ALL: [Self; 4] = [Self::A, Self::B, Self::C, Self::D];

    /// Its code: `GRADER_A`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::A => "GRADER_A",
            Self::B => "GRADER_B",
            Self::C => "GRADER_C",
            Self::D => "GRADER_D",
        }
    }

    /// The grader with this code.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|grader| grader.code() == code)
    }

    /// A bit of its own, for masks.
    #[must_use]
    pub fn bit(self) -> i64 {
        1 << self as i64
    }
}

/// The company of each grader, by its name in readings of titles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Companies(pub [String; 4]);

impl Default for Companies {
    /// The default companies.
    fn default() -> Self {
        Self(["PSA", "BGS", "CGC", "SGC"].map(str::to_owned))
    }
}

impl Companies {
    /// The grader of a company. `None` if it is not tracked.
    #[must_use]
    pub fn grader(&self, company: &str) -> Option<Grader> {
        self.0
            .iter()
            .position(|name| name == company)
            .and_then(|at| Grader::ALL.get(at).copied())
    }
}

/// How well a card was graded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// Authentic or altered, without a number.
    Authentic,
    /// A number with a qualifier (MK, OC, ST, PD).
    Qualified,
    /// The grade in halves: 2 is grade 1, 19 is 9.5, 20 is 10.
    Halves(u8),
    /// 10 Pristine.
    Pristine,
    /// 10 Perfect: Black Label.
    Perfect,
}

impl Grade {
    /// The column of population data that counts it: `g9_5`, `auth`, `perfect`.
    #[must_use]
    pub fn column(self) -> String {
        match self {
            Self::Authentic => "auth".to_owned(),
            Self::Qualified => "qualifiers".to_owned(),
            Self::Halves(halves) if halves % 2 == 1 => format!("g{}_5", halves / 2),
            Self::Halves(halves) => format!("g{}", halves / 2),
            Self::Pristine => "pristine".to_owned(),
            Self::Perfect => "perfect".to_owned(),
        }
    }

    /// The grade that a column of population data counts.
    #[must_use]
    pub fn of_column(column: &str) -> Option<Self> {
        Some(match column {
            "auth" => Self::Authentic,
            "qualifiers" => Self::Qualified,
            "pristine" => Self::Pristine,
            "perfect" => Self::Perfect,
            number => Self::Halves(halves(number.strip_prefix('g')?)?),
        })
    }

    /// Whether it is a 10 of whatever label.
    #[must_use]
    pub fn is_gem(self) -> bool {
        matches!(self, Self::Halves(20) | Self::Pristine | Self::Perfect)
    }

    /// Whether the grader's population data has a column for it.
    #[must_use]
    pub fn counted_by(self, grader: Grader) -> bool {
        match self {
            Self::Authentic | Self::Qualified => grader == Grader::A,
            Self::Pristine | Self::Perfect => grader == Grader::B,
            Self::Halves(halves) => halves % 2 == 0 || matches!(grader, Grader::B | Grader::C),
        }
    }
}

/// The halves of `9`, `9_5` or `10`.
fn halves(text: &str) -> Option<u8> {
    let (whole, half) = match text.strip_suffix("_5") {
        Some(whole) => (whole, 1),
        None => (text, 0),
    };
    let plain = !whole.is_empty()
        && whole.len() <= 2
        && !whole.starts_with('0')
        && whole.bytes().all(|byte| byte.is_ascii_digit());
    let halves = whole.parse::<u8>().ok().filter(|_| plain)? * 2 + half;
    (2..=20).contains(&halves).then_some(halves)
}

/// A grader with a grade: the key of graded sales data, `GRADER_A_10`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GradeKey {
    /// Who graded.
    pub grader: Grader,
    /// How well.
    pub grade: Grade,
}

impl fmt::Display for GradeKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grader = self.grader.code();
        match self.grade {
            Grade::Authentic => write!(out, "{grader}_AUTH"),
            Grade::Qualified => write!(out, "{grader}_QUALIFIED"),
            Grade::Halves(halves) if halves % 2 == 1 => write!(out, "{grader}_{}_5", halves / 2),
            Grade::Halves(halves) => write!(out, "{grader}_{}", halves / 2),
            Grade::Pristine => write!(out, "{grader}_PRISTINE"),
            Grade::Perfect => write!(out, "{grader}_PERFECT"),
        }
    }
}

/// The error of a text that is not a key of graded sales.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoGradeKey;

impl FromStr for GradeKey {
    type Err = NoGradeKey;

    fn from_str(text: &str) -> Result<Self, NoGradeKey> {
        let grader = Grader::ALL
            .into_iter()
            .find(|grader| text.starts_with(grader.code()))
            .ok_or(NoGradeKey)?;
        let grade = match text[grader.code().len()..]
            .strip_prefix('_')
            .ok_or(NoGradeKey)?
        {
            "AUTH" => Grade::Authentic,
            "QUALIFIED" => Grade::Qualified,
            "PRISTINE" => Grade::Pristine,
            "PERFECT" => Grade::Perfect,
            number => Grade::Halves(halves(number).ok_or(NoGradeKey)?),
        };
        Ok(Self { grader, grade })
    }
}

/// How many cards one grader gave each grade. Grades without data are absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts(pub BTreeMap<Grade, i64>);

impl Counts {
    /// All of them.
    #[must_use]
    pub fn total(&self) -> i64 {
        self.0.values().sum()
    }

    /// The tens, pristine and perfect ones among them.
    #[must_use]
    pub fn gems(&self) -> i64 {
        self.0
            .iter()
            .filter(|(grade, _)| grade.is_gem())
            .map(|(_, count)| count)
            .sum()
    }
}

impl Serialize for Counts {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(grade, count)| (grade.column(), count)))
    }
}

impl<'de> Deserialize<'de> for Counts {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let columns = BTreeMap::<String, i64>::deserialize(deserializer)?;
        let grade =
            |(column, count): (String, i64)| Grade::of_column(&column).map(|grade| (grade, count));
        Ok(Self(columns.into_iter().filter_map(grade).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Companies, Counts, Grade, GradeKey, Grader};
    use std::collections::BTreeMap;

    #[test]
    fn keys_and_columns_round_trip() {
        for (text, column) in [
            ("GRADER_A_10", "g10"),
            ("GRADER_B_9_5", "g9_5"),
            ("GRADER_B_PRISTINE", "pristine"),
            ("GRADER_B_PERFECT", "perfect"),
            ("GRADER_A_AUTH", "auth"),
            ("GRADER_D_1", "g1"),
            ("GRADER_A_QUALIFIED", "qualifiers"),
        ] {
            let key: GradeKey = text.parse().expect("it is a key");
            assert_eq!(
                (key.to_string(), key.grade.column()),
                (text.to_owned(), column.to_owned())
            );
            assert_eq!(Grade::of_column(column), Some(key.grade));
        }
        for wrong in [
            "",
            "GRADER_A",
            "GRADER_A_",
            "GRADER_E_9",
            "GRADER_A_0",
            "GRADER_A_10_5",
            "GRADER_A_11",
            "GRADER_A_09",
            "GRADER_A_9_",
            "GRADER_A_+9",
        ] {
            assert!(wrong.parse::<GradeKey>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_graders_b_and_c_have_half_grades() {
        let half = Grade::Halves(19);
        assert_eq!(
            Grader::ALL.map(|grader| half.counted_by(grader)),
            [false, true, true, false]
        );
        assert_eq!(Companies::default().grader("CGC"), Some(Grader::C));
        assert_eq!(Companies::default().grader("TAG"), None);
    }

    #[test]
    fn tens_of_any_label_are_gems() {
        let counts = Counts(BTreeMap::from([
            (Grade::Halves(20), 3),
            (Grade::Pristine, 2),
            (Grade::Perfect, 1),
            (Grade::Halves(19), 4),
        ]));
        assert_eq!((counts.total(), counts.gems()), (10, 6));
        let text = serde_json::to_string(&counts).expect("it is JSON");
        assert_eq!(text, r#"{"g9_5":4,"g10":3,"pristine":2,"perfect":1}"#);
        assert_eq!(serde_json::from_str::<Counts>(&text).ok(), Some(counts));
    }
}
