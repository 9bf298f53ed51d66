//! Attributes whose values are a closed set: [`Condition`], [`Finish`], [`GraderCode`].

use serde::{Deserialize, Serialize};

/// Condition of a raw card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Condition {
    /// Mint.
    #[serde(rename = "M")]
    Mint,
    /// Near mint.
    #[serde(rename = "NM")]
    NearMint,
    /// Excellent.
    #[serde(rename = "EX")]
    Excellent,
    /// Lightly played.
    #[serde(rename = "LP")]
    LightlyPlayed,
    /// Good.
    #[serde(rename = "GD")]
    Good,
    /// Played.
    #[serde(rename = "PL")]
    Played,
    /// Moderately played.
    #[serde(rename = "MP")]
    ModeratelyPlayed,
    /// Heavily played.
    #[serde(rename = "HP")]
    HeavilyPlayed,
    /// Poor.
    #[serde(rename = "PO")]
    Poor,
    /// Damaged.
    #[serde(rename = "DMG")]
    Damaged,
}

impl Condition {
    /// All of them.
    pub(crate) const ALL: [Condition; 10] = [
        Condition::Mint,
        Condition::NearMint,
        Condition::Excellent,
        Condition::LightlyPlayed,
        Condition::Good,
        Condition::Played,
        Condition::ModeratelyPlayed,
        Condition::HeavilyPlayed,
        Condition::Poor,
        Condition::Damaged,
    ];

    /// The name as JSON has it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Condition::Mint => "M",
            Condition::NearMint => "NM",
            Condition::Excellent => "EX",
            Condition::LightlyPlayed => "LP",
            Condition::Good => "GD",
            Condition::Played => "PL",
            Condition::ModeratelyPlayed => "MP",
            Condition::HeavilyPlayed => "HP",
            Condition::Poor => "PO",
            Condition::Damaged => "DMG",
        }
    }

    /// The one that is called `name`.
    pub(crate) fn called(name: &str) -> Option<Condition> {
        Condition::ALL.into_iter().find(|one| one.as_str() == name)
    }
}

/// How the foil lies on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Finish {
    /// On the picture.
    #[serde(rename = "holo")]
    Holo,
    /// On all but the picture.
    #[serde(rename = "reverse holo")]
    ReverseHolo,
    /// Nowhere.
    #[serde(rename = "non-holo")]
    NonHolo,
    /// On the whole card; only of games whose foils are not called holo.
    #[serde(rename = "foil")]
    Foil,
    /// Nowhere, in such a game.
    #[serde(rename = "non-foil")]
    NonFoil,
}

impl Finish {
    /// All of them.
    pub(crate) const ALL: [Finish; 5] = [
        Finish::Holo,
        Finish::ReverseHolo,
        Finish::NonHolo,
        Finish::Foil,
        Finish::NonFoil,
    ];

    /// The name as JSON has it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Finish::Holo => "holo",
            Finish::ReverseHolo => "reverse holo",
            Finish::NonHolo => "non-holo",
            Finish::Foil => "foil",
            Finish::NonFoil => "non-foil",
        }
    }

    /// The same in words of games whose foils are called holo, as an index has the finishes of a card.
    pub(crate) fn as_holo(self) -> Finish {
        match self {
            Finish::Holo | Finish::Foil => Finish::Holo,
            Finish::ReverseHolo => Finish::ReverseHolo,
            Finish::NonHolo | Finish::NonFoil => Finish::NonHolo,
        }
    }

    /// The same in words of games whose foils are not called holo. No such game has a reverse holo.
    pub(crate) fn as_foil(self) -> Finish {
        match self {
            Finish::Holo | Finish::Foil => Finish::Foil,
            Finish::ReverseHolo => Finish::ReverseHolo,
            Finish::NonHolo | Finish::NonFoil => Finish::NonFoil,
        }
    }

    /// The one that is called `name`.
    pub(crate) fn called(name: &str) -> Option<Finish> {
        Finish::ALL.into_iter().find(|one| one.as_str() == name)
    }
}

/// One of the four graders that have a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub enum GraderCode {
    /// PSA.
    #[serde(rename = "GRADER_A")]
    A,
    /// BGS.
    #[serde(rename = "GRADER_B")]
    B,
    /// CGC.
    #[serde(rename = "GRADER_C")]
    C,
    /// SGC.
    #[serde(rename = "GRADER_D")]
    D,
}

impl GraderCode {
    /// All of them.
    pub(crate) const ALL: [GraderCode; 4] =
        [GraderCode::A, GraderCode::B, GraderCode::C, GraderCode::D];

    /// The name as JSON has it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            GraderCode::A => "GRADER_A",
            GraderCode::B => "GRADER_B",
            GraderCode::C => "GRADER_C",
            GraderCode::D => "GRADER_D",
        }
    }

    /// The one that is called `name`.
    pub(crate) fn called(name: &str) -> Option<GraderCode> {
        GraderCode::ALL.into_iter().find(|one| one.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_called_as_json_has_it() {
        fn holds<T: Serialize + Copy + PartialEq + std::fmt::Debug>(
            names: &[&str],
            called: impl Fn(&str) -> Option<T>,
            as_str: impl Fn(T) -> &'static str,
        ) {
            for name in names {
                let value = called(name).expect("it is one of them");
                assert_eq!(as_str(value), *name);
                assert_eq!(
                    serde_json::to_value(value).expect("a name is JSON"),
                    serde_json::Value::from(*name)
                );
            }
            assert_eq!(called("?"), None);
        }
        let conditions = ["M", "NM", "EX", "LP", "GD", "PL", "MP", "HP", "PO", "DMG"];
        holds(&conditions, Condition::called, Condition::as_str);
        let finishes = ["holo", "reverse holo", "non-holo", "foil", "non-foil"];
        holds(&finishes, Finish::called, Finish::as_str);
        let codes = ["GRADER_A", "GRADER_B", "GRADER_C", "GRADER_D"];
        holds(&codes, GraderCode::called, GraderCode::as_str);
    }
}
