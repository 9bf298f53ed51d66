//! The table of [`Sign`]s: the class that each speaks for or against, its place among the
//! attributes, and its texts.

use super::class::Class;
use crate::parsed::Field;

/// How much a sign says before any title was seen; a fit is pulled there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// Every title that is read has it.
    Always,
    /// Words that are hardly used otherwise.
    Strong,
    /// Words and facts that mean it more often than not.
    Middle,
    /// It adds to others.
    Weak,
    Against,
    StrongAgainst,
}

#[cfg(feature = "train")]
impl Start {
    /// The weight, in log-odds.
    pub(super) const fn weight(self) -> f32 {
        match self {
            Start::Always => -1.5,
            Start::Strong => 3.5,
            Start::Middle => 2.0,
            Start::Weak => 1.2,
            Start::Against => -1.0,
            Start::StrongAgainst => -3.5,
        }
    }
}

macro_rules! signs {
    ($($sign:ident $class:ident $start:ident $field:ident $name:literal $note:literal,)*) => {
        /// A fact of a title that speaks for a kind of listing, or against it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum Sign {
            $($sign,)*
        }

        /// All signs in their order: the class, the weight before any fit, the attribute that
        /// evidence names, the word in `outcome_weights.csv`, and the note for people.
        pub(super) const SIGNS: [(Sign, Class, Start, Field, &str, &str); COUNT] = [
            $((Sign::$sign, Class::$class, Start::$start, Field::$field, $name, $note),)*
        ];

        /// The class of each sign: of the table the part that every title reads.
        pub(super) const CLASSES: [Class; COUNT] = [$(Class::$class,)*];

        /// The number of signs.
        pub(super) const COUNT: usize = [$($name,)*].len();
    };
}

signs! {
    LotAlways Lot Always Kind "lot" "listings are seldom lots",
    LotSilent Lot StrongAgainst Kind "lot_silent" "nothing speaks for several cards",
    LotSilentSolid Lot StrongAgainst Name "lot_silent_solid" "nothing does, and name and number are one card's",
    LotWords Lot Strong Kind "lot_words" "words for several cards",
    LotWordsWeak Lot Weak Kind "lot_words_weak" "words that may mean several cards",
    Count Lot Middle Quantity "count" "a count",
    HighCount Lot Middle Quantity "high_count" "a count that few copies of a card reach",
    AnotherNumber Lot Middle Number "another_number" "a further collector number",
    AnotherCode Lot Middle Number "another_code" "several numbers that begin with the code of a set",
    NumbersAndNames Lot Weak Number "numbers_and_names" "several numbers, and several names or slabs",
    NumbersOneSlab Lot Against Grade "numbers_one_slab" "several numbers, but one name and one grade",
    StrayNumber Lot Against Number "stray_number" "name, set and a number are one card's, the other number no card's of the title",
    AnotherSubject Lot Weak Name "another_subject" "a further name that the first card does not explain",
    SubjectsUnexplained Lot Weak Name "subjects_unexplained" "several names that no card bears together",
    StrangeSubject Lot Middle Name "strange_subject" "two names, of which no card bears both",
    StrangeSubjectNumbered Lot Weak Name "strange_subject_numbered" "two names beside one number",
    Joined Lot Weak Name "joined" "a word or a sign joins the names",
    AnotherSlab Lot Weak Grade "another_slab" "a further grade",
    SetOfLot Lot Middle Set "set_of_lot" "a set and a count, but no card",
    CardAgainstLot Lot Against Number "card_against_lot" "a number, a grade or a condition of one card",
    SolidAgainstLot Lot Against Name "solid_against_lot" "name and number are one card's",
    OtherAgainstLot Lot StrongAgainst Kind "other_against_lot" "what is sold is not the cards",
    SealedAlways Sealed Always Kind "sealed" "listings are seldom sealed products",
    SealedSilent Sealed StrongAgainst Kind "sealed_silent" "nothing speaks for a sealed product",
    SealedSilentSolid Sealed StrongAgainst Name "sealed_silent_solid" "nothing does, and name and number are one card's",
    SealedWords Sealed Strong Kind "sealed_words" "words for a sealed product",
    SealedWordsWeak Sealed Weak Kind "sealed_words_weak" "words that may mean a sealed product",
    SetAlone Sealed Middle Set "set_alone" "a set, but neither a card's name nor a number",
    SealedAlone Sealed Weak Kind "sealed_alone" "a sealed product, and neither a card's name nor a number",
    SealedWithName Sealed Weak Name "sealed_with_name" "nothing but a sealed product and the card in it",
    Tin Sealed Weak Kind "tin" "the last word is the product",
    SealedAgain Sealed Weak Kind "sealed_again" "several words for a sealed product",
    SealedOfAnyGame Sealed Against Game "sealed_of_any_game" "the product's game is not named",
    CardAgainstSealed Sealed Against Number "card_against_sealed" "a number, a grade or a condition of one card",
    SolidAgainstSealed Sealed Against Name "solid_against_sealed" "name and number are one card's",
    OtherAgainstSealed Sealed StrongAgainst Kind "other_against_sealed" "what is sold is not the product",
    OtherAlways Other Always Kind "other" "listings are seldom of other things",
    OtherSilent Other StrongAgainst Kind "other_silent" "nothing speaks for another thing",
    OtherSilentSolid Other StrongAgainst Name "other_silent_solid" "nothing does, and name and number are one card's",
    AnotherGame Other Strong Game "another_game" "another game or sport is named",
    AnotherGameWeak Other Weak Game "another_game_weak" "words that may name another game or sport",
    OwnGame Other Against Game "own_game" "this game is named, too",
    GoodsWords Other Strong Kind "goods_words" "words for goods that are no cards",
    GoodsWordsWeak Other Weak Kind "goods_words_weak" "words that may mean other goods",
    Wanted Other Strong Kind "wanted" "somebody asks for what is named",
    GoodsAlone Other Weak Kind "goods_alone" "goods, and no number, grade, set or rarity",
    HollowProduct Other Strong Kind "hollow_product" "the empty box or the code is sold, not the product",
    OtherGameProduct Other Strong Game "other_game_product" "a product or cards of the other game",
    NoSignOfGame Other Strong Game "no_sign_of_game" "nothing in the title is of a game that is held",
    OnlyOtherGame Other Weak Game "only_other_game" "only the other game is named, and no card fits well",
    GameUnnamed Other Weak Game "game_unnamed" "the game is not named, and no card is likely",
    GameUnnamedUnread Other Weak Game "game_unnamed_unread" "and much of the title is unread",
    SolidAgainstOther Other Against Name "solid_against_other" "name and number are one card's",
    LikelyAgainstOther Other Against Name "likely_against_other" "one card is likely",
    OutsideAlways Outside Always Kind "outside" "cards are seldom of a kind that no catalogue holds",
    OutsideSilent Outside StrongAgainst Kind "outside_silent" "nothing speaks for a card that no catalogue holds",
    OutsideSilentSolid Outside StrongAgainst Name "outside_silent_solid" "nothing does, and name and number are one card's",
    OutsideWords Outside Strong Kind "outside_words" "words for cards that no catalogue holds",
    OutsideWordsWeak Outside Weak Kind "outside_words_weak" "words that may mean cards that no catalogue holds",
    Unheld Outside Strong Language "unheld" "a language or a set of which the catalogue has no card",
    Jumbo Outside Middle Size "jumbo" "a size that the card is not known in",
    ProductAgainstOutside Outside StrongAgainst Kind "product_against_outside" "a whole product of such cards",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_is_in_the_order_of_the_enum_and_names_each_once() {
        for (at, row) in SIGNS.iter().enumerate() {
            assert_eq!(row.0 as usize, at, "{}", row.4);
            let same = SIGNS.iter().filter(|other| other.4 == row.4).count();
            assert_eq!(same, 1, "{}", row.4);
        }
    }

    #[test]
    fn classes_stand_together() {
        let classes: Vec<Class> = SIGNS.iter().map(|row| row.1).collect();
        assert!(classes.is_sorted_by_key(|class| *class as usize));
    }
}
