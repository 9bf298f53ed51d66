//! [`Signs`]: the signs of a lot, a sealed product or other goods in a title.

use super::class::Class;
use super::facts::{CERTAIN, Facts, JOINING};
use super::table::{COUNT, SIGNS, Sign, Start};
use crate::attributes::companion::{Companions, is_given};
use crate::attributes::number::{NumberKind, NumberReading};
use crate::catalogue::Marks;
use crate::dictionary::{Absent, GameKind, Tag};
use crate::parsed::Field;
use crate::reading::{Proposal, Value};
use crate::token::{Class as TokenClass, Line, Token};

/// A count above this is more than the copies of one card that are sold together.
const FEW: u32 = 4;
/// More copies of one card than this are seldom sold: a lot then only begins with it.
const MOST_COPIES: u32 = 12;
/// A card's number counts as much as a grade and a condition together.
const NUMBER_COUNTS: u8 = 2;
/// A candidate more likely than this is likely.
const LIKELY: f64 = 0.5;
/// A candidate more likely than this is a sign of its game.
const SIGN_OF_GAME: f64 = 0.4;
/// No candidate is more likely than this where none is likely.
const UNLIKELY: f64 = 0.3;

/// The kinds of listing that are cards of another maker; of the second the words may also say where
/// a promo of ours comes from.
const OTHER_CARDS: [&str; 2] = ["non_tcg_card", OTHER_MAKER];
const OTHER_MAKER: &str = "other_maker";

/// The kinds of goods that are given with a card.
const GIVEN: [&str; 8] = [
    "accessory",
    "art_print",
    "coin",
    "digital_code",
    "extended_case",
    "household",
    "non_tcg_card",
    "product_part",
];

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
    /// Words that nothing explains are called one card.
    pub(super) one_unknown: bool,
    /// A name or a number is read.
    pub(super) named: bool,
    /// The title is in Latin letters.
    pub(super) latin: bool,
}

/// What the words for kinds of listings say together.
#[derive(Default)]
struct Words {
    /// Words of other games, sports and their goods.
    others: Count,
    /// Those of them that are not goods.
    games: Count,
    /// Words for goods and for cards of other makers.
    things: Count,
    /// The latter.
    other_cards: Count,
    /// Another card game shows what the title's game does: `One Piece Carddass`.
    sister: bool,
    sealed: Count,
    /// Those that name a sealed product, not only its wrapping.
    products: Count,
    lots: Count,
    outside: Count,
    /// Codes, empty boxes: what is named beside them is not sold.
    hollow: Count,
    /// Those of `lots` that count cards: `10枚`.
    counts: u16,
    /// A pack of a shop's own: `オリパ`.
    repack: bool,
    /// Chances to draw a card are counted: `1口500円`.
    draws: bool,
    /// Something that is no card's copies is counted.
    counted: Option<Sign>,
}

/// How many words of a kind there are.
#[derive(Clone, Copy, Default)]
struct Count {
    strong: u16,
    weak: u16,
}

impl Count {
    fn add(&mut self, weak: bool) {
        let count = if weak {
            &mut self.weak
        } else {
            &mut self.strong
        };
        // a title has far fewer words than bytes, and those fit (MAX_TITLE_BYTES)
        *count += 1;
    }

    fn any(self) -> bool {
        self.strong > 0 || self.weak > 0
    }

    /// Three weak words are worth a strong one.
    fn worth(self) -> u32 {
        u32::from(self.strong) * 3 + u32::from(self.weak)
    }
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
            one_unknown: is_one_unknown(facts),
            own_game: facts.proposals.iter().any(|p| {
                matches!(p.value, Value::Word(tag) if facts.stats.is_held_game(tag))
                    && !facts.is_of_other(p)
            }),
        };
        let mut words = Words::default();
        for proposal in facts.chosen.iter() {
            signs.word(facts, proposal, &mut words);
        }
        // `オリパ 10枚入り` counts the cards of the pack
        if words.repack {
            words.lots.strong = words.lots.strong.saturating_sub(words.counts);
            words.counted = None;
        }
        let numbers = different_numbers(facts);
        // both halves of a card, `V + VMAX`
        if numbers > 1 && facts.part || joins_marks(facts) {
            words.lots.add(false);
        }
        let product = facts.set || words.products.any();
        if signs.nothing_named(facts, numbers) && !product && lists_marks(facts) {
            words.lots.add(false);
        }
        signs.several_cards(facts, &words, numbers);
        signs.product(facts, &mut words, numbers);
        signs.other_thing(facts, &words);
        signs.set(Sign::OutsideWords, words.outside.strong);
        signs.set(Sign::OutsideWordsWeak, words.outside.weak);
        signs.set(Sign::Unheld, facts.unheld && signs.named);
        // championship decks in their wrapping
        let outside = signs.speaks_for(Class::Outside);
        let product = signs.nothing_named(facts, numbers) && words.products.any();
        signs.set(Sign::ProductAgainstOutside, product && outside);
        signs.not_what_is_named(facts, &words);
        use Sign as S;
        for (class, always, silent, solid) in [
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
            let nothing = !signs.speaks_for(class);
            signs.set(always, true);
            signs.set(silent, nothing);
            signs.set(solid, nothing && facts.solid);
        }
        signs
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

    /// Counts what one of the chosen readings says.
    fn word(&mut self, facts: &Facts<'_>, proposal: &Proposal, words: &mut Words) {
        let weak = proposal.weak;
        match proposal.value {
            Value::Word(Tag::Kind(at)) => {
                let (kind, outcome) = &facts.dictionary.kinds[at as usize];
                match (outcome.as_str(), kind.as_str()) {
                    // several copies of one card
                    ("lot", "playset") if facts.one_card() || facts.one_thing() => {}
                    // `5枚セット`, of one thing, or of one print of a name
                    ("lot", "playset" | "multi_card")
                        if facts.counts_copies(proposal)
                            && (facts.one_thing() || facts.one_print()) => {}
                    ("lot", "multi_card")
                        if facts.one_card()
                            && (facts.solid && facts.counts(proposal)
                                || facts.counts_few(proposal)) => {}
                    // `lot of 3`, of one card
                    ("lot", "lot")
                        if facts.one_card()
                            && (facts.solid || facts.top > CERTAIN)
                            && facts.copies() => {}
                    // `from a 20 year old collection`, `+ free random card`
                    ("lot", _)
                        if facts.one_card()
                            && (facts.is_from(proposal) || is_given(facts.line, proposal.at)) => {}
                    // `Slowbro 14/112 complete your set!`
                    ("lot", "near_complete" | "pick_your_card")
                        if facts.solid && facts.fraction && facts.one_card() =>
                    {
                        words.lots.add(true);
                    }
                    ("lot", kind) => {
                        words.lots.add(weak);
                        words.counts += u16::from(kind == "multi_card" && facts.counts(proposal));
                    }
                    // `with free mystery card`
                    ("sealed", "repack")
                        if facts.one_card() && is_given(facts.line, proposal.at) => {}
                    ("sealed", kind) => {
                        words.sealed.add(weak);
                        words.repack |= kind == "repack" && !weak;
                        words.draws |= kind == "repack" && facts.counts_draws(proposal);
                    }
                    ("not_a_card", "accessory" | "extended_case" | "product_part")
                        if facts.solid && facts.grades > 0
                            || (facts.solid || facts.one_card()) && facts.is_from(proposal) => {}
                    // `binder with 300 cards`
                    ("not_a_card", "accessory") if facts.holds_cards(proposal) => {
                        words.lots.add(false);
                    }
                    // `and code card`, `+ free sticker`, `300 cards with binder`
                    ("not_a_card", kind)
                        if GIVEN.contains(&kind)
                            && (facts.solid || facts.one_card() || facts.counts_many())
                            && facts.beside(proposal, Companions::accompany) => {}
                    // `from my pack opening`, `from opened booster box`
                    ("not_a_card", "break_slot" | "display_only")
                        if facts.one_card() && facts.beside(proposal, Companions::yield_card) => {}
                    // what a buyer asks for stands behind it, or before it: `Granbull 116/264 suche`
                    ("not_a_card", kind @ ("wanted" | "trade"))
                        if proposal.at == 0 || kind == "wanted" && facts.ends(proposal) =>
                    {
                        words.things.add(false);
                        self.set(Sign::Wanted, true);
                    }
                    ("not_a_card", kind) => {
                        // no other maker's card has our name, number and total
                        let ours = kind == OTHER_MAKER && facts.solid && facts.fraction;
                        let weak = weak || ours;
                        words.things.add(weak);
                        if OTHER_CARDS.contains(&kind) {
                            words.other_cards.add(weak);
                        }
                        if matches!(
                            kind,
                            "digital_code" | "display_only" | "goods_only" | "product_part"
                        ) {
                            words.hollow.add(weak);
                        }
                    }
                    ("other_game", _) => {
                        words.things.add(weak);
                        words.other_cards.add(weak);
                        words.sister = true;
                    }
                    ("not_in_catalogue", _) => words.outside.add(weak),
                    _ => {}
                }
            }
            // `pulled from ETB`, `with free booster pack`, `Absolute Justice starter deck`
            Value::Word(Tag::Sealed(_))
                if facts.one_card()
                    && (facts.beside(proposal, Companions::yield_card)
                        || facts.beside(proposal, Companions::accompany)
                        || facts.is_of_product(proposal)) => {}
            Value::Word(Tag::Sealed(_)) => {
                words.sealed.add(weak);
                words.products.add(weak);
            }
            Value::Word(tag @ Tag::Game(at)) if !facts.stats.is_held_game(tag) => {
                words.others.add(weak);
                if facts.dictionary.games[at as usize].kind != GameKind::Goods {
                    words.games.add(weak);
                }
            }
            Value::Word(Tag::Printing(at)) => {
                let word = &facts.dictionary.printings[at as usize];
                if word.absent != Absent::Same && !facts.is_printed(word) {
                    match word.absent {
                        // some sets have such a card, of which the catalogue does not know
                        Absent::NotACard => words.things.add(weak || facts.solid || facts.placed),
                        _ if word.field == Field::Size => self.set(Sign::Jumbo, true),
                        _ => words.outside.add(weak),
                    }
                }
            }
            Value::Count(count)
                if proposal.field == Field::Quantity && facts.are_copies(proposal, count) => {}
            Value::Count(count) if proposal.field == Field::Quantity && count > 1 => {
                words.counted = Some(if count > FEW {
                    Sign::HighCount
                } else {
                    Sign::Count
                });
            }
            _ => {}
        }
    }

    /// What speaks for several cards, and against them; the title has `numbers` numbers.
    fn several_cards(&mut self, facts: &Facts<'_>, words: &Words, numbers: usize) {
        // `Lost Origin pack x3`
        let products = words.products.any() && self.nothing_named(facts, numbers);
        if let Some(sign) = words.counted.filter(|_| !products) {
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
        let coded = facts.numbers.iter().filter(|number| number.coded).count();
        self.set(Sign::AnotherCode, numbers > 1 && coded > 1);
        if numbers > 1 {
            self.set(Sign::AnotherNumber, numbers - 1);
            let several = facts.all_subjects > 1 || facts.grades > 1 || facts.codes_of_names;
            self.set(Sign::NumbersAndNames, several);
            self.set(Sign::NumbersOneSlab, !several && facts.grades == 1);
            // `Gengar 10/144 Skyridge 9/106`: sellers leave numbers of other listings behind
            let one = numbers == 2 && facts.solid && facts.placed && facts.all_subjects <= 1;
            let stray = |n: &NumberReading| n.kind == NumberKind::Fraction && !facts.is_of_name(n);
            self.set(Sign::StrayNumber, one && facts.numbers.iter().any(stray));
        }
        if facts.subjects >= 2 {
            self.set(Sign::AnotherSubject, facts.subjects - 1);
            self.set(Sign::SubjectsUnexplained, !facts.solid);
        } else if facts.subjects == 1 && !facts.solid && facts.all_subjects >= 2 {
            self.set(Sign::StrangeSubject, numbers == 0);
            self.set(Sign::StrangeSubjectNumbered, numbers != 0);
            self.set(Sign::Joined, facts.joined);
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
        // `booster box mint condition`
        let card = if nothing {
            0
        } else {
            marks_of_one_card(facts, numbers)
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
        if (nothing || wrapped()) && is_product_of_set(facts) {
            words.sealed.add(false);
            words.products.add(false);
        }
        // `拡張パック フュージョンアーツ`: the name of the set says that it is one of packs
        if nothing && words.sealed.strong == 0 && is_pack_of_set(facts) {
            words.sealed.add(true);
        }
        // `Pokemon Platinum DS` is a game that a set is named after
        let goods = words.others.strong > words.games.strong;
        // `Skyridge non-holo cards`, `Abyss Eye (SAR, SR, AR)`
        let of_cards = [Field::Rarity, Field::Finish, Field::Treatment];
        let of_cards = of_cards.iter().any(|&field| facts.chosen.has(field));
        if facts.set && nothing && !goods && !self.speaks_for(Class::Lot) {
            self.set(Sign::SetAlone, !of_cards || words.products.any());
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
        let only = bare && !words.things.any() && !facts.numbered && numbers == 0;
        self.set(Sign::SealedWithName, only && words.products.strong > 0);
        self.set(
            Sign::SealedAgain,
            words.products.strong + words.products.weak > 1,
        );
        self.set(Sign::Tin, bare && facts.ends_with_tin());
        if self.speaks_for(Class::Sealed) {
            self.set(Sign::SealedOfAnyGame, !self.own_game && !facts.set);
            // the card of `オリパ リザードンex 201/165 1口500円` may be drawn
            let drawn = words.draws && sealed.strong > 0;
            self.set(Sign::CardAgainstSealed, if drawn { 0 } else { card });
            self.set(Sign::SolidAgainstSealed, facts.solid && !drawn);
        }
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
        let others = words.games.any() && words.games.worth() >= goods
            || words.sister
            || words.other_cards.any() && facts.all_subjects == 0;
        self.other_game = others && goods < 3 && (!self.own_game || words.sister);
        let slab = facts.numbered && (facts.graded || facts.condition);
        let card = facts.numbered || facts.graded || facts.condition || facts.rarity || facts.set;
        self.set(Sign::GoodsAlone, words.things.any() && !card);
        let likeliest = facts.top.max(facts.name);
        let evidence = self.own_game
            || facts.set
            || likeliest > SIGN_OF_GAME
            || facts.fraction
            || (slab || facts.own_script) && !foreign
            || facts.own_words && self.speaks_for(Class::Lot) && !foreign;
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
        if facts.solid || !hollow && !game {
            return;
        }
        let (sealed, lot) = (self.speaks_for(Class::Sealed), self.speaks_for(Class::Lot));
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

/// How much of one card is stated: its number, a grade, a condition.
fn marks_of_one_card(facts: &Facts<'_>, numbers: usize) -> u8 {
    let number = numbers != 0 || facts.numbered && facts.number_agrees;
    u8::from(facts.graded) + u8::from(number) * NUMBER_COUNTS + u8::from(facts.condition)
}

impl Facts<'_> {
    /// Whether the title names one card, as far as it names any: no second number, no second
    /// subject, and a name that the catalogue confirms.
    fn one_card(&self) -> bool {
        self.one_name() && (self.solid || self.top > CERTAIN || self.set)
    }

    /// Whether the title names cards of one name, and at most one number.
    fn one_name(&self) -> bool {
        (self.solid || self.name > LIKELY) && self.one_at_most()
    }

    /// Whether it names no second subject, number or rarity.
    fn one_at_most(&self) -> bool {
        self.subjects == 0
            && !self.part
            && self.all_subjects <= 1
            && different_numbers(self) <= 1
            && (self.solid || !self.rarities)
    }

    /// Whether the title names one print of one name, in whatever set, and no slab: `ビクティニ
    /// マスターボールミラー`.
    fn one_print(&self) -> bool {
        let pattern = self.chosen.has(Field::Pattern) && self.grades == 0;
        pattern && self.all_subjects == 1 && self.one_at_most()
    }

    /// Whether words contain a count of copies that are sold together.
    fn counts_copies(&self, words: &Proposal) -> bool {
        let copies = |p: &Proposal| match p.value {
            Value::Count(count) => p.field == Field::Quantity && (2..=MOST_COPIES).contains(&count),
            _ => false,
        };
        let mut counts = self.proposals.iter().filter(|p| p.inside(words));
        counts.any(copies)
    }

    /// Whether the title names one trainer or thing, of which players buy copies of any print.
    fn one_thing(&self) -> bool {
        self.one_name() && self.named && self.all_subjects == 0
    }

    /// Whether `count` is of copies of what the title names: `x4`, `3枚`; or of cards that are given
    /// with it.
    fn are_copies(&self, words: &Proposal, count: u32) -> bool {
        let few = count <= FEW;
        // `バニプッチ AR 6枚 ホワイトフレア`
        let more = || count <= MOST_COPIES && self.counts_alone();
        self.one_card()
            && (self.solid || few || self.counted_with_x(words) || self.rarity && more())
            || self.one_thing() && more()
            || self.one_name() && (few && self.counts_alone() || is_given(self.line, words.at))
    }

    /// Whether words are a part of the name of another game or of a team: `Orlando Magic`.
    fn is_of_other(&self, words: &Proposal) -> bool {
        let around = self.chosen.covering(words.at);
        around.is_some_and(|c| match c.value {
            Value::Word(tag @ Tag::Game(at)) => {
                let goods = self.dictionary.games[at as usize].kind == GameKind::Goods;
                words.inside(c) && !goods && !self.stats.is_held_game(tag)
            }
            _ => false,
        })
    }

    /// Whether the title has one count, and no word for several cards beside it: `3種セット`.
    fn counts_alone(&self) -> bool {
        let several = |p: &Proposal| match p.value {
            Value::Word(Tag::Kind(at)) => self.dictionary.kinds[at as usize].1 == "lot",
            _ => false,
        };
        self.chosen.of(Field::Quantity).nth(1).is_none() && !self.chosen.iter().any(several)
    }

    /// Whether the title counts copies, and no more than are sold together.
    fn copies(&self) -> bool {
        let mut counts = self.chosen.of(Field::Quantity);
        counts.any(|p| matches!(p.value, Value::Count(count) if (2..=MOST_COPIES).contains(&count)))
    }

    /// Whether the title counts more cards than are copies of one.
    fn counts_many(&self) -> bool {
        let mut counts = self.chosen.of(Field::Quantity);
        counts.any(|p| matches!(p.value, Value::Count(count) if count > MOST_COPIES))
    }

    /// Whether the last word that is read is a tin, and no number stands before it.
    fn ends_with_tin(&self) -> bool {
        let last = self.chosen.last();
        let tin = last.is_some_and(|p| match p.value {
            Value::Word(Tag::Sealed(at)) => self.dictionary.sealed[at as usize] == "tin",
            _ => false,
        });
        tin && !self.numbered
    }

    /// Whether the words before or after goods or a product say so of it.
    fn beside(
        &self,
        goods: &Proposal,
        so: impl Fn(&Companions, &Line, usize, usize) -> bool,
    ) -> bool {
        // `with free Pokemon sticker`
        let mut games = self.chosen.of(Field::Game);
        let game = games.find(|game| game.end == goods.at);
        let at = game.map_or(goods.at, |game| game.at);
        let first = self.line.token_at(at as usize);
        let last = self.line.token_at((goods.end as usize).saturating_sub(1));
        // a test reads the file: see `Companions::builtin`
        Companions::builtin().is_ok_and(|words| so(words, self.line, first, last))
    }

    /// Whether a count of many cards that the goods come with stands behind them, or words for cards
    /// that fill them: `binder full of cards`.
    fn holds_cards(&self, goods: &Proposal) -> bool {
        let full = |p: &Proposal| match p.value {
            Value::Word(Tag::Kind(at)) => {
                p.at == goods.end && !p.weak && self.dictionary.kinds[at as usize].0 == LOT
            }
            _ => false,
        };
        if self.chosen.iter().any(full) {
            return true;
        }
        // one word stands between
        let next = self.line.token_at(goods.end as usize) + 1;
        let behind = |p: &Proposal| p.at > goods.end && self.line.token_at(p.at as usize) == next;
        let mut counts = self.chosen.of(Field::Quantity).filter(|p| behind(p));
        counts.any(|p| match p.value {
            Value::Count(count) => count > FEW && self.beside(p, Companions::accompany),
            _ => false,
        })
    }

    /// Whether the title ends in these words.
    fn ends(&self, words: &Proposal) -> bool {
        words.end as usize == self.line.key().len()
    }

    /// Whether words say where one card is from.
    fn is_from(&self, words: &Proposal) -> bool {
        let first = self.line.token_at(words.at as usize);
        // a test reads the file: see `Companions::builtin`
        Companions::builtin().is_ok_and(|companions| companions.are_whence(self.line, first))
    }

    /// Whether words are, or end, a count of chances: `1口`.
    fn counts_draws(&self, words: &Proposal) -> bool {
        let key = self.line.key();
        let (at, end) = (words.at as usize, words.end as usize);
        let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
        self.line.text(at, end).ends_with('口') && (digit(key.get(at)) || digit(key[..at].last()))
    }

    /// Whether words contain a number: `2枚セット`.
    fn counts(&self, words: &Proposal) -> bool {
        let text = self.line.text(words.at as usize, words.end as usize);
        text.bytes().any(|byte| byte.is_ascii_digit())
    }

    /// Whether words contain a count of a few copies: `2枚まとめ`, and not `2種セット`.
    fn counts_few(&self, words: &Proposal) -> bool {
        let few = |p: &Proposal| match p.value {
            Value::Count(count) => p.field == Field::Quantity && (2..=FEW).contains(&count),
            _ => false,
        };
        let mut counts = self.proposals.iter().filter(|p| p.inside(words));
        counts.any(few)
    }

    /// Whether a count is written with an `x`: `x4`, `4x`.
    fn counted_with_x(&self, count: &Proposal) -> bool {
        let text = self.line.text(count.at as usize, count.end as usize);
        text.starts_with('x') || text.ends_with('x')
    }
}

/// The kind of words for several cards of any sort: `Bulk`, `full of cards`.
const LOT: &str = "lot";

/// A title without a name that has so many marks of names lists kinds of cards.
const MARKS_OF_LIST: u32 = 3;

/// Whether the title lists marks of names: `Various Pokemon Cards - V, VMAX, GX`.
fn lists_marks(facts: &Facts<'_>) -> bool {
    let marks = facts.proposals.iter().filter_map(|p| match p.value {
        Value::Word(Tag::Affix(mark)) => Some(mark),
        _ => None,
    });
    let marks = marks.fold(0u64, |marks, mark| marks | 1 << (mark % 64));
    marks.count_ones() >= MARKS_OF_LIST
}

/// What one card is called, and several.
const CARD: &str = "card";
const CARDS: &str = "cards";

/// Whether words that nothing explains, none of them a number or several things, stand beside `card`:
/// `Pokemon Card - Yorunozu - Speed Wing`.
fn is_one_unknown(facts: &Facts<'_>) -> bool {
    if facts.unread == 0.0 || facts.any_name || facts.numbered || !facts.latin {
        return false;
    }
    let words = || {
        let tokens = facts.line.tokens().iter();
        tokens.map(|t| (t, facts.line.text(t.at as usize, t.end as usize)))
    };
    let read = |at: u32| facts.chosen.iter().any(|p| p.at <= at && at < p.end);
    let several = |(token, word): (&Token, &str)| {
        word == CARDS
            || !read(token.at) && (token.class == TokenClass::Digit || word.ends_with('s'))
    };
    words().any(|(_, word)| word == CARD) && !words().any(several)
}

/// Whether words join two marks that make two cards of one name: `Leafeon V + VMAX`.
fn joins_marks(facts: &Facts<'_>) -> bool {
    let names = || facts.chosen.of(Field::Name);
    if names().nth(1).is_none() {
        return false;
    }
    let marks = || {
        facts.proposals.iter().filter_map(|p| match p.value {
            Value::Word(Tag::Affix(mark)) => Some((p, Marks::default().with(mark))),
            _ => None,
        })
    };
    let read = |mark: &Proposal| names().any(|name| mark.inside(name));
    let joined = |(a, mark): (&Proposal, Marks), (b, other): (&Proposal, Marks)| {
        let essential = mark.union(other).minus(facts.stats.essential).is_empty();
        essential && mark != other && a.end < b.at && read(a) && read(b) && {
            let between = facts.line.text(a.end as usize, b.at as usize);
            facts.joined || JOINING.contains(&between)
        }
    };
    marks().any(|a| marks().any(|b| joined(a, b)))
}

/// Whether words for a sealed product are part of the name of a set that is read.
fn is_product_of_set(facts: &Facts<'_>) -> bool {
    is_in_set(facts, |product, _| !product.weak)
}

/// Whether words that may mean a sealed product begin the name of a set that is read, and say more
/// than it.
fn is_pack_of_set(facts: &Facts<'_>) -> bool {
    is_in_set(facts, |product, set| {
        product.weak && product.at == set.at && product.end < set.end
    })
}

/// Whether words for a product are such a part of the name of a set that is read.
fn is_in_set(facts: &Facts<'_>, part: impl Fn(&Proposal, &Proposal) -> bool) -> bool {
    let sets = || facts.chosen.of(Field::Set);
    let product = |p: &&Proposal| matches!(p.value, Value::Word(Tag::Sealed(_)));
    let mut products = facts.proposals.iter().filter(product);
    products.any(|product| sets().any(|set| product.inside(set) && part(product, set)))
}

/// Counts the different numbers with totals in a title that the catalogue has, those with the code
/// of a set, and of several subjects those with a sign or right behind a name: `Mew #8, Abra #63`,
/// `Kubfu 093, Porygon2 117`. Those with letters count where a card of a name in the title has
/// them, or of its set: `SWSH159 SWSH160`, `Galarian Gallery GG35 GG36`.
fn different_numbers(facts: &Facts<'_>) -> usize {
    let behind_name = |n: &NumberReading| {
        let mut names = facts.chosen.of(Field::Name);
        let behind = names.any(|name| name.end == n.at);
        // `Jynx ex 151` is a set
        let otherwise = |c: &Proposal| c.field != Field::Number && c.at < n.end && n.at < c.end;
        behind && !facts.chosen.iter().any(otherwise)
    };
    let numbered = |n: &NumberReading| {
        n.kind == NumberKind::Fraction && n.total_known && !n.is_share() && !n.is_score()
    };
    // beside a card's number, `9/10` is a verdict
    let scored = facts.numbers.iter().any(numbered);
    let fractions = || {
        facts.numbers.iter().filter(|n| match n.kind {
            NumberKind::Fraction if n.is_score() => n.total_known && !scored || n.coded,
            NumberKind::Fraction => numbered(n) || n.coded,
            NumberKind::Hash => n.coded || facts.all_subjects > 1 || facts.part,
            NumberKind::Bare => facts.all_subjects > 1 && behind_name(n),
            NumberKind::Prefixed => n.coded || facts.is_of_title(n),
            _ => n.coded,
        })
    };
    // `#4` and `4/102` are one
    let same = |a: &NumberReading, b: &NumberReading| {
        a.number == b.number && (a.total == b.total || a.kind != b.kind)
    };
    fractions()
        .enumerate()
        .filter(|(at, n)| {
            !fractions()
                .take(*at)
                .any(|before| same(before, n) || before.at < n.end && n.at < before.end)
        })
        .count()
}
