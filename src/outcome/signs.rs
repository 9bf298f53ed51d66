//! [`Signs`]: the signs of a lot, a sealed product or other goods in a title.

use super::class::Class;
use super::facts::Facts;
use super::lists::{
    different_numbers, is_cards, is_one_unnamed, joins_cards, joins_marks, joins_numbers,
    joins_twice, lists_marks, lists_names, names_again, names_two_cards, says, says_cards,
    states_each,
};
use super::products::{is_pack_of_set, is_product_before_name, is_product_of_set};
use super::questions::{A_NAME, LIKELY};
use super::table::{COUNT, SIGNS, Sign, Start};
use super::words::{Count, Words};
use crate::attributes::number::{NumberKind, NumberReading};
use crate::parsed::Field;
use crate::reading::Value;

/// A card's number counts as much as a grade and a condition together.
const NUMBER_COUNTS: u8 = 2;
/// A candidate more likely than this is a sign of its game.
const SIGN_OF_GAME: f64 = 0.4;
/// No candidate is more likely than this where none is likely.
const UNLIKELY: f64 = 0.3;

/// The fewest subjects, each joined to the next, that are a list.
const LEAST_LISTED: usize = 3;
/// The signs of a title: how often each is there, or how much of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Signs {
    pub(super) values: [f32; COUNT],
    /// Whether some sign speaks for a class, by [`Class`].
    speaking: [bool; Class::ALL.len()],
    /// The words for another thing name a game or a sport, and no goods.
    pub(super) other_game: bool,
    /// The game is named, or something that only it has.
    pub(super) own_game: bool,
    /// The title says that it is of one card, and does not name it.
    pub(super) one_unnamed: bool,
    /// Words that nothing explains are that card's: most are a name.
    pub(super) unread: bool,
    /// A name or a number is read.
    pub(super) named: bool,
    /// Nothing but marks of names: `VMAX`.
    pub(super) only_marks: bool,
    /// The title is in Latin letters.
    pub(super) latin: bool,
}

/// The value of a sign: whether it is there, or how often.
struct Amount(f32);

impl From<bool> for Amount {
    fn from(there: bool) -> Self {
        Amount(f32::from(u8::from(there)))
    }
}

impl From<u8> for Amount {
    fn from(times: u8) -> Self {
        Amount(f32::from(times))
    }
}

impl From<u16> for Amount {
    fn from(times: u16) -> Self {
        Amount(f32::from(times))
    }
}

impl From<usize> for Amount {
    fn from(times: usize) -> Self {
        Amount(times as f32)
    }
}

impl From<f32> for Amount {
    fn from(share: f32) -> Self {
        Amount(share)
    }
}

impl Signs {
    /// Collects the signs.
    pub(super) fn of(facts: &Facts<'_>) -> Signs {
        let mut signs = Signs {
            values: [0.0; COUNT],
            speaking: [false; Class::ALL.len()],
            other_game: false,
            latin: facts.latin,
            named: facts.any_name || facts.numbered,
            only_marks: facts.only_marks && !facts.numbered,
            one_unnamed: is_one_unnamed(facts),
            unread: facts.unread > 0.0,
            own_game: facts.proposals.iter().any(|p| {
                matches!(p.value, Value::Word(tag) if facts.stats.is_held_game(tag))
                    && !facts.is_of_other(p)
                    && !facts.is_in_code_of_other(p)
            }),
        };
        let mut words = Words::default();
        for proposal in facts.chosen.iter() {
            words.add(facts, proposal);
        }
        signs.set(Sign::Wanted, words.wanted);
        signs.set(Sign::Jumbo, words.jumbo);
        // `オリパ 10枚入り` counts the cards of the pack
        if words.repack {
            words.lots.strong = words.lots.strong.saturating_sub(words.counts);
            words.counted = None;
        }
        let numbers = different_numbers(facts);
        signs.add_lists(facts, &mut words, numbers);
        signs.several_cards(facts, &words, numbers);
        signs.product(facts, &mut words, numbers);
        signs.other_thing(facts, &words);
        signs.set(Sign::OutsideWords, words.outside.strong);
        signs.set(Sign::OutsideWordsWeak, words.outside.weak);
        // `CSV3C SAR 简体中文`: nobody needs to read the name
        let card = signs.named || facts.rarity;
        signs.set(Sign::Unheld, facts.unheld && card);
        // championship decks in their wrapping
        let outside = signs.speaks_for(Class::Outside);
        let product = signs.nothing_named(facts, numbers) && words.products.any();
        signs.set(Sign::ProductAgainstOutside, product && outside);
        signs.not_what_is_named(facts, &words);
        signs.add_classes(facts.solid);
        signs
    }

    /// Adds to the words for lots what lists several cards without such a word; the title has `numbers`
    /// numbers.
    fn add_lists(&self, facts: &Facts<'_>, words: &mut Words, numbers: usize) {
        // both halves of a card, `V + VMAX`
        if numbers > 1 && facts.part || joins_marks(facts) || numbers != 1 && names_two_cards(facts)
        {
            words.lots.add(false);
        }
        let product = facts.set || words.products.any();
        if self.nothing_named(facts, numbers) && !product && lists_marks(facts) {
            words.lots.add(false);
        }
        // `Bayleef + Meganium + Chikorita`, `Meganium, Pidgeot, Raichu`
        let goods = words.things.any();
        // `Gengar, Haunter, Gastly Expedition 48/165 CGC 9.5`: names of other listings
        let one = facts.solid && facts.grades <= 1 && numbers <= 1 && !words.lots.any();
        let commas = if goods || one { 0 } else { facts.commas };
        let listed = facts.subjects > 1
            && facts.all_subjects >= LEAST_LISTED
            && facts.joins + commas + 1 >= facts.all_subjects;
        if listed && words.lots.strong == 0 || lists_names(facts, numbers) || joins_cards(facts) {
            words.lots.add(false);
        }
        // `Oddish Jungle 58/64 & Oddish 89/112`
        if numbers > 1 && facts.joins > 0 && words.lots.strong == 0 && names_again(facts) {
            words.lots.add(false);
        }
        // `Lost Thunder: 18/214 + 88/214`
        if numbers > 1 && words.lots.strong == 0 && !words.set && joins_numbers(facts) {
            words.lots.add(false);
        }
        // `1x Mindsparker 1x Swat Away`
        if words.lots.strong == 0 && states_each(facts) {
            words.lots.add(false);
        }
        // `Jungle #3, #14, #31, 3 cards`
        let hashes = facts.numbers.iter().filter(|n| n.kind == NumberKind::Hash);
        let stated = numbers.max(hashes.count());
        // `White Flare #13 #165 #70`
        let listed = stated >= LEAST_LISTED && !facts.any_name;
        let counted = facts.has_count(|_, count| usize::try_from(count) == Ok(stated));
        // `3 Pokemon Cards`
        let only = || {
            let several = facts.has_count(|_, count| count > 1);
            let other = words.things.any() || words.others.any();
            several
                && !other
                // `mystery box 50 cards`
                && !words.repack
                && self.nothing_named(facts, numbers)
                && !product
                && says_cards(facts)
        };
        if words.lots.strong == 0 && (stated > 1 && counted || listed || only()) {
            words.lots.add(false);
        }
        // `Various Riolu Cards`, `Venusaur & Venusaur V Pokemon Cards`
        let various = || words.various || facts.joins > 0 && joins_twice(facts);
        // `Cubone & Gengar PSA 10 Cards`, `Mew V Fusion Strike & Mew Pokemon Cards`
        let joined = || {
            let joins = || facts.joins > 0 && facts.subjects > 0 || names_again(facts);
            !goods && says(facts, is_cards) && joins()
        };
        if numbers == 0
            && !facts.numbered
            && words.lots.strong == 0
            && (various() || joined())
            && says_cards(facts)
        {
            words.lots.add(false);
        }
    }

    /// What each kind of listing starts from, and what is added where nothing speaks for it.
    fn add_classes(&mut self, solid: bool) {
        use Sign as S;
        for (class, always, silent, silent_solid) in [
            (Class::Lot, S::LotAlways, S::LotSilent, S::LotSilentSolid),
            (
                Class::Sealed,
                S::SealedAlways,
                S::SealedSilent,
                S::SealedSilentSolid,
            ),
            (
                Class::Other,
                S::OtherAlways,
                S::OtherSilent,
                S::OtherSilentSolid,
            ),
            (
                Class::Outside,
                S::OutsideAlways,
                S::OutsideSilent,
                S::OutsideSilentSolid,
            ),
        ] {
            let nothing = !self.speaks_for(class);
            self.set(always, true);
            self.set(silent, nothing);
            self.set(silent_solid, nothing && solid);
        }
    }

    fn set(&mut self, sign: Sign, value: impl Into<Amount>) {
        let value = value.into().0;
        self.values[sign as usize] = value;
        let (_, class, start, ..) = SIGNS[sign as usize];
        let speaks = matches!(start, Start::Strong | Start::Middle | Start::Weak);
        if speaks && value > 0.0 {
            self.speaking[class as usize] = true;
        }
    }

    /// Whether some sign speaks for a class.
    pub(super) fn speaks_for(&self, class: Class) -> bool {
        self.speaking[class as usize]
    }

    /// Whether neither a card's name nor a number is read.
    fn nothing_named(&self, facts: &Facts<'_>, numbers: usize) -> bool {
        !facts.named && numbers == 0 && !facts.numbered
    }

    /// What speaks for several cards, and against them; the title has `numbers` numbers.
    fn several_cards(&mut self, facts: &Facts<'_>, words: &Words, numbers: usize) {
        // `Lost Origin pack x3`, and not `Set of 55 Japanese cards`
        let cards = words.products.strong == 0 && words.set && {
            words.lots.any() || facts.has_count(|count, _| facts.counts_lot(count))
        };
        let products = words.products.any() && !cards && self.nothing_named(facts, numbers);
        // `Golden apple juice 2 pieces`
        let cards = || {
            let card = facts.any_name && !facts.stray || facts.numbered || facts.rarity;
            card || self.own_game || facts.set || words.lots.any() || says_cards(facts)
        };
        if let Some(sign) = words.counted.filter(|_| !products && cards()) {
            self.set(sign, true);
        }
        // `ミュウツーex SR SAR セット`: several rarities of a name make sure that it is a lot
        let mut lots = words.lots;
        if facts.rarities && facts.all_subjects <= 1 && lots.strong == 0 && lots.weak > 0 {
            lots = Count {
                strong: 1,
                weak: lots.weak - 1,
            };
        }
        self.set(Sign::LotWords, lots.strong);
        self.set(Sign::LotWordsWeak, lots.weak);
        let coded = |number: &&NumberReading| number.coded && !facts.is_in_name(number);
        let coded = facts.numbers.iter().filter(coded).count();
        self.set(Sign::AnotherCode, numbers > 1 && coded > 1);
        if numbers > 1 {
            self.set(Sign::AnotherNumber, numbers - 1);
            let several = facts.all_subjects > 1 || facts.grades > 1 || facts.numbers_of_names;
            self.set(Sign::NumbersAndNames, several);
            self.set(Sign::NumbersOneSlab, !several && facts.grades == 1);
            // `Gengar 10/144 Skyridge 9/106`: sellers leave numbers of other listings behind
            let one = numbers == 2 && facts.solid && facts.placed && facts.all_subjects <= 1;
            let stray = |n: &NumberReading| {
                n.kind == NumberKind::Fraction && (!facts.is_of_name(n) || facts.trails(n))
            };
            self.set(Sign::StrayNumber, one && facts.numbers.iter().any(stray));
        }
        if facts.subjects >= 2 {
            self.set(Sign::AnotherSubject, facts.subjects - 1);
            self.set(Sign::SubjectsUnexplained, !facts.solid);
        } else if facts.subjects == 1 && !facts.solid && facts.all_subjects >= 2 {
            self.set(Sign::StrangeSubject, numbers == 0);
            self.set(Sign::StrangeSubjectNumbered, numbers != 0);
            self.set(Sign::Joined, facts.joins > 0);
        }
        if facts.grades > 1 && facts.all_subjects > 1 {
            self.set(Sign::AnotherSlab, facts.grades - 1);
        }
        if self.speaks_for(Class::Lot) {
            let nothing = self.nothing_named(facts, numbers);
            let set = facts.set && nothing && words.products.strong == 0;
            self.set(Sign::SetOfLot, set);
            self.set(Sign::CardAgainstLot, marks_of_one_card(facts, numbers));
            self.set(Sign::SolidAgainstLot, facts.solid);
        }
    }

    /// What speaks for a sealed product, and against it.
    fn product(&mut self, facts: &Facts<'_>, words: &mut Words, numbers: usize) {
        let nothing = self.nothing_named(facts, numbers);
        // a number that no card has is of the product: `Premium Card Collection Luffy P-159`
        let coded = facts.any_coded();
        let numbers_of_card = if coded && !facts.number_agrees {
            0
        } else {
            numbers
        };
        // `booster box mint condition`
        let card = if nothing || words.slab {
            0
        } else {
            marks_of_one_card(facts, numbers_of_card)
        };
        let bare = card == 0 && !facts.rarity;
        // `promo in its wrapper` is a card
        if words.products.any() && bare && !facts.named {
            let weak = std::mem::take(&mut words.hollow.weak);
            words.hollow.strong += weak;
            words.things.weak -= weak;
            words.things.strong += weak;
        }
        // the name of a set that is the name of a product: `プレミアムトレーナーボックス MEGA`
        // or a card of it, wrapped: `exスタートデッキ ミライドンex 未開封`
        let wrapped = || bare && words.sealed.weak > 0 && numbers == 0;
        // or is called after a card of it: `exスタートデッキ ピカチュウ`; behind the card's name it says where
        // that is from
        let called = || {
            let one = bare && numbers == 0 && !facts.condition && words.lots.strong == 0;
            one && is_product_before_name(facts)
        };
        if (nothing || wrapped()) && is_product_of_set(facts) || called() {
            words.sealed.add(false);
            words.products.add(false);
        }
        // `拡張パック フュージョンアーツ`: the name of the set says that it is one of packs
        if nothing && words.sealed.strong == 0 && is_pack_of_set(facts) {
            words.sealed.add(true);
        }
        // `Pokemon Platinum DS` is a game that a set is named after
        let goods = words.others.strong > words.games.strong;
        // `Pokemon Violet Switch sealed`
        if goods && words.sealed.strong == 0 {
            words.sealed = Count::default();
            words.products = Count::default();
        }
        // `Skyridge non-holo cards`, `Abyss Eye (SAR, SR, AR)`
        let of_cards = [Field::Rarity, Field::Finish, Field::Treatment, Field::Grade];
        let of_cards =
            || of_cards.iter().any(|&field| facts.chosen.has(field)) || says_cards(facts);
        // `Surging Sparks Bundle sealed`
        let wrapping = words.sealed.worth() > words.products.worth();
        let lot = self.speaks_for(Class::Lot) && (words.lots.strong > 0 || !wrapping);
        // `Lost Thunder poster`
        let other = words.products.any() || words.lots.any();
        let thing = facts.set && nothing && !other && words.extras > 0;
        if thing {
            words.things.strong += words.extras;
            words.things.weak = words.things.weak.saturating_sub(words.extras);
        }
        if facts.set && nothing && !goods && !lot && !thing {
            let alone = words.products.any() || !of_cards();
            self.set(Sign::SetAlone, alone && !self.is_part_of_card(facts, words));
        } else if nothing && self.values[Sign::SetOfLot as usize] <= 0.0 {
            self.set(Sign::SealedAlone, words.products.any());
        }
        let mut sealed = words.sealed;
        if facts.solid {
            // a promo, and the names of the box, the pack and the wrapping that it came in
            sealed.strong = sealed.strong.min(1);
            sealed.weak = if sealed.strong > 0 {
                0
            } else {
                sealed.weak.min(3)
            };
        }
        self.set(Sign::SealedWords, sealed.strong);
        self.set(Sign::SealedWordsWeak, sealed.weak);
        let no_number = !facts.numbered && numbers == 0 || coded && numbers_of_card == 0;
        let only = bare && !words.things.any() && no_number;
        self.set(Sign::SealedWithName, only && words.products.strong > 0);
        self.set(
            Sign::SealedAgain,
            words.products.strong + words.products.weak > 1,
        );
        self.set(Sign::Tin, bare && facts.ends_with_box());
        if self.speaks_for(Class::Sealed) {
            self.set(Sign::SealedOfAnyGame, !self.own_game && !facts.set);
            // the card of `オリパ リザードンex 201/165 1口500円`, `オリパ 大当たり ミュウex 205/165` may
            // be drawn
            let chances = words.draws || words.repack && words.repacks > 1;
            let drawn = chances && sealed.strong > 0;
            self.set(Sign::CardAgainstSealed, if drawn { 0 } else { card });
            self.set(Sign::SolidAgainstSealed, facts.solid && !drawn);
        }
    }

    /// Whether words beside the name of a set are of one of its cards: `Pokemon Cards (IR) Ascended
    /// Heroes set`, `2024 Pokemon Scarlet & Violet Black Star Promos`, `Pokemon Card Masaki's Gizmo
    /// Base Set`.
    fn is_part_of_card(&self, facts: &Facts<'_>, words: &Words) -> bool {
        // `Staff of Mind Magus - Magic 2015`: a part of the name is a card's; `Wyrmforged Halberdier
        // Core Set 2020 NM`: so is all that is known, and a card's condition is said
        let of_name = || facts.condition || !facts.names_whole_card();
        let part = self.one_unnamed || facts.any_name && of_name();
        // `MTG Jhoira Guildpact`: the set lacks the card that is named
        let named = || facts.any_name && !words.sealed.any() && !facts.name_may_be_product();
        // `MTG Saltglass Navigator Murders at Karlov Manor`
        let strange = || facts.latin && !words.sealed.any() && !facts.any_name;
        let unnamed =
            || !words.products.any() && (facts.unread > A_NAME && (part || strange()) || named());
        let of_set = || words.set && facts.rarity || facts.are_promos();
        words.products.strong == 0 && of_set() || unnamed()
    }

    /// What speaks for another game or thing, and against it.
    fn other_thing(&mut self, facts: &Facts<'_>, words: &Words) {
        // a word that may be of another game says nothing beside this one's name or a card of a set
        let foreign =
            words.others.strong > 0 || words.others.any() && !self.own_game && !facts.placed;
        if foreign {
            self.set(Sign::AnotherGame, words.others.strong);
            self.set(Sign::AnotherGameWeak, words.others.weak);
            self.set(Sign::OwnGame, self.own_game);
        }
        self.set(Sign::GoodsWords, words.things.strong);
        self.set(Sign::GoodsWordsWeak, words.things.weak);
        let goods = words.others.worth() - words.games.worth() + words.things.worth()
            - words.other_cards.worth();
        // a proxy, a sleeve or a figure of another game is no card of it either; the maker of cards
        // of sports is enough where no subject is named
        let named = || {
            words.games.strong > 0
                || words.games.weak > 1
                || words.products.any()
                || facts.hints_at_game()
                || says_trading_card(facts)
        };
        let others = words.games.any() && words.games.worth() >= goods && named()
            || words.sister
            || words.other_cards.any() && facts.all_subjects == 0;
        // `Star Wars Unlimited Chewbacca - Walking Carpet (SOR-003)`
        let card = goods < 3 || words.games.worth() >= goods && facts.has_number_of_other();
        self.other_game =
            others && card && (!self.own_game || words.sister || facts.other_in_front());
        let slab = facts.numbered && (facts.graded || facts.condition);
        let card = facts.numbered || facts.graded || facts.condition || facts.rarity || facts.set;
        self.set(Sign::GoodsAlone, words.things.any() && !card);
        let likeliest = facts.top.max(facts.name);
        let evidence = self.own_game
            || facts.set
            || likeliest > SIGN_OF_GAME && !facts.stray
            || facts.fraction
            || facts.code_agrees()
            || (slab || facts.own_script) && !foreign
            || facts.own_words && self.speaks_for(Class::Lot) && !foreign
            // `Misty FA`: everything is read
            || facts.unread <= 0.0 && facts.names_whole_card() && !foreign;
        // the set of a product is of its game
        let of_game = self.own_game || facts.set && self.speaks_for(Class::Sealed);
        if !evidence && !facts.solid && facts.all_subjects == 0 {
            self.set(Sign::NoSignOfGame, true);
        } else if !self.own_game && !facts.solid && foreign {
            self.set(Sign::OnlyOtherGame, true);
        } else if !of_game && !facts.solid && likeliest < UNLIKELY {
            self.set(Sign::GameUnnamed, true);
            self.set(Sign::GameUnnamedUnread, facts.unread);
        }
        if self.speaks_for(Class::Other) {
            self.set(Sign::SolidAgainstOther, facts.solid);
            self.set(Sign::LikelyAgainstOther, !facts.solid && facts.top > LIKELY);
        }
    }

    /// Where the box is empty, the code is used, or the game is another, the cards or the product
    /// that the title names are not what is sold.
    fn not_what_is_named(&mut self, facts: &Facts<'_>, words: &Words) {
        let hollow = words.hollow.strong > 0;
        let game = words.games.strong > 0 && !self.own_game;
        let (sealed, lot) = (self.speaks_for(Class::Sealed), self.speaks_for(Class::Lot));
        // `コロコロ シール ピッピ プリン`: stickers have names, too
        let marked = facts.numbered || facts.graded || facts.rarity || facts.set;
        let named = words.other_cards.any() && lot && !words.lots.any() && !marked;
        if named && !facts.solid {
            self.set(Sign::OtherAgainstLot, true);
        }
        if facts.solid || !hollow && !game {
            return;
        }
        let sign = if hollow {
            Sign::HollowProduct
        } else {
            Sign::OtherGameProduct
        };
        self.set(sign, sealed || lot);
        self.set(Sign::OtherAgainstSealed, sealed);
        self.set(Sign::OtherAgainstLot, lot);
    }
}

/// Whether something says that a card is sold, of which one word may name the game: `2021 Bears #12`, and
/// not `VW Golf bumper`.
fn says_trading_card(facts: &Facts<'_>) -> bool {
    let fields = [Field::Number, Field::Year, Field::Finish, Field::Rarity];
    let said = || fields.iter().any(|&field| facts.chosen.has(field));
    facts.graded || facts.condition || said() || says_cards(facts)
}

/// How much of one card is stated: its number, a grade, a condition.
fn marks_of_one_card(facts: &Facts<'_>, numbers: usize) -> u8 {
    // `2020 Battle Academy #39 Charizard PSA 9`: a slab's label has a number, and a product's none
    let labelled = facts.grades > 0 && facts.named;
    // `Aegislash 060 SVP promo ETB`
    let found = facts.found && facts.solid;
    let number = numbers != 0 || found || facts.numbered && (facts.number_agrees || labelled);
    u8::from(facts.graded) + u8::from(number) * NUMBER_COUNTS + u8::from(facts.condition)
}
