//! Evidence of the art: which of the prints of one name in one set a word such as `rainbow` means.

use super::features::Feature;
use super::number::NumberFit;
use super::{Fit, Scorer, Sink};
use crate::attributes::art::{ARTS, Art};
use crate::catalogue::Columns;
use crate::catalogue::format::{CardRecord, SetRecord, card_flag};
use crate::stats::SetFacts;
use crate::word_lists::{
    ART_FULL, ART_GOLD, ART_ILLUSTRATION, ART_RAINBOW, ART_SHINY, ART_SPECIAL, ByGame, has,
};

/// What the catalogue tells of a card's art.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shows {
    Yes,
    /// It may be so.
    Maybe,
    No,
}

/// The worth of what may be so.
const MAYBE: f32 = 0.5;
/// Words in the labels of printings.
const GOLD_FOIL: &str = "gold foil";
const RAINBOW_FOIL: &str = "rainbow foil";
// Rarities and marks, as the catalogue names them.
const SHINY: &str = "Shiny";
const SECRET: &str = "Secret Rare";

/// What the name of a rarity or of a mark tells of the art: a bit each.
mod told {
    pub(super) const GOLD: u16 = 1;
    pub(super) const RAINBOW: u16 = 2;
    /// As the name of a rarity, and as that of a mark.
    pub(super) const SHINY: u16 = 4;
    pub(super) const SHINY_MARK: u16 = 8;
    pub(super) const FULL: u16 = 16;
    pub(super) const SPECIAL: u16 = 32;
    /// A card of this rarity above the count of its set is a secret one.
    pub(super) const SECRET: u16 = 64;
    /// Nothing: there is no name.
    pub(super) const NOTHING: u16 = 128;
    pub(super) const ILLUSTRATION: u16 = 256;
}

/// What the names of a catalogue's rarities and marks tell of the art: for each game, a place for
/// each number of a rarity. `Ultra Rare` shows full art in Pokémon, and nothing of it in Yu-Gi-Oh!.
#[derive(Clone, Debug)]
pub(crate) struct RarityArts(Box<[u16]>);

/// The numbers that rarities may have.
const RARITIES: usize = u8::MAX as usize + 1;

impl RarityArts {
    pub(crate) fn of(catalogue: &Columns<'_>) -> RarityArts {
        let games = catalogue.game_ids();
        let told = games
            .flat_map(|game| (0..=u8::MAX).map(move |number| told(game, catalogue.rarity(number))));
        RarityArts(told.collect())
    }

    /// What the rarity with this number tells in a game, by its place among those of the catalogue.
    fn get(&self, game: u8, number: u8) -> u16 {
        let place = usize::from(game) * RARITIES + usize::from(number);
        self.0.get(place).copied().unwrap_or(told::NOTHING)
    }
}

/// What the name of a rarity or of a mark tells in a game.
fn told(game: &str, name: &str) -> u16 {
    let bit = |tells: bool, bit: u16| if tells { bit } else { 0 };
    let listed = |list: ByGame, told: u16| bit(has(list, game, name), told);
    listed(ART_GOLD, told::GOLD)
        | listed(ART_RAINBOW, told::RAINBOW)
        | bit(name.starts_with(SHINY), told::SHINY)
        | listed(ART_SHINY, told::SHINY_MARK)
        | listed(ART_FULL, told::FULL)
        | listed(ART_SPECIAL, told::SPECIAL)
        | listed(ART_ILLUSTRATION, told::ILLUSTRATION)
        | bit([SECRET, "", "None"].contains(&name), told::SECRET)
        | bit(name.is_empty(), told::NOTHING)
}

/// More prints of one name than any set has, basic lands and energies aside.
const MOST_PRINTS: usize = 16;

/// What is unsaid of a print beyond the count of its set, of which the source says nothing, in nats.
const BEYOND_SET: f32 = 3.0;
/// The same of a reprint with the number and the total of the old card: `Charizard 4/102` is Base
/// Set's, and sellers of Celebrations' say so.
const REPRINT: f32 = 3.0;

impl Scorer<'_, '_> {
    /// Adds the evidence of the art that the title states. Only where some print of the name in
    /// the set shows it do the others contradict it.
    pub(super) fn art<'c>(&'c self, record: &'c CardRecord, sink: &mut impl Sink) {
        let mut room = [record; MOST_PRINTS];
        let prints = prints(self.catalogue, record, &mut room);
        for art in ARTS.into_iter().filter(|art| self.query.arts.has(*art)) {
            match self.shows(art, record, prints) {
                Shows::Yes if art == Art::Alternate => sink.add(Feature::AltAgrees, 1.0),
                Shows::No if art == Art::Alternate => {
                    if record.illustrator.get() != 0 {
                        sink.add(Feature::AltDiffers, 1.0);
                    }
                }
                Shows::Yes => sink.add(Feature::ArtAgrees, 1.0),
                Shows::Maybe => sink.add(Feature::ArtAgrees, MAYBE),
                Shows::No => {
                    let shown = |print: &&CardRecord| self.shows(art, print, prints) != Shows::No;
                    if prints.iter().any(shown) {
                        sink.add(Feature::ArtDiffers, 1.0);
                    }
                }
            }
        }
    }

    /// How much more of a special print the title leaves unsaid than of another of its name and set of
    /// which it says as much, in nats; `None` if no more. Sellers say what makes a print special, so
    /// one of which nothing is said is the plain one.
    pub(super) fn print_unsaid(&self, record: &CardRecord) -> Option<f32> {
        // a name of its own says which print it is: `Godzilla, Doom Inevitable`
        let called = |&card: &u32| {
            let named = self.catalogue.card_record(card);
            named.is_some_and(|c| (c.set, c.number) == (record.set, record.number))
        };
        if self.query.cards.iter().any(called) {
            return None;
        }
        let (said, own) = self.unsaid(record);
        if own <= 0.0 {
            return None;
        }
        let mut room = [record; MOST_PRINTS];
        let prints = prints(self.catalogue, record, &mut room).iter();
        let least = prints
            .map(|print| self.unsaid(print))
            .filter(|print| print.0 >= said)
            .fold(own, |least, print| least.min(print.1));
        Some(own - least).filter(|more| *more > 0.0)
    }

    /// Adds what speaks against a reprint of which the title says nothing: neither its set, nor a year,
    /// nor where it comes from.
    #[inline]
    pub(super) fn reprint(
        &self,
        record: &CardRecord,
        set: SetFacts,
        fit: Fit,
        sink: &mut impl Sink,
    ) {
        let told = || fit.member || !self.query.years.is_empty() || self.query.asks_origin();
        if fit.number == (NumberFit::Agrees { total: true })
            && !told()
            && self.is_reprint(record, set)
        {
            sink.add(Feature::PrintUnsaid, REPRINT);
        }
    }

    /// Whether a card prints a total that its own set has not, with the number and the total of a card of
    /// its name in another set. Not above that total: `66/64` says less of the set that counts 64.
    #[inline(never)]
    fn is_reprint(&self, record: &CardRecord, set: SetFacts) -> bool {
        let catalogue = self.catalogue;
        let total = catalogue.total_text(record).parse::<u16>().ok();
        let Some(total) = total.filter(|&total| total != set.official) else {
            return false;
        };
        if record.flags.get() & card_flag::ABOVE != 0 {
            return false;
        }
        let of_its_set = |card: u32| {
            let card = catalogue.card_record(card);
            let set = card.and_then(|card| self.stats.set_of(card));
            set.is_some_and(|set| set.official == total)
        };
        catalogue.name_record(record).is_some_and(|name| {
            let mut prints = catalogue.prints_of_core(name.core.get(), record.number.get());
            prints.any(|(card, total)| total == record.total.get() && of_its_set(card))
        })
    }

    /// The information of the rarest word for a print that the title says, and how much more the
    /// rarest has that it does not say: who says a rare word leaves out those that go with it.
    fn unsaid(&self, record: &CardRecord) -> (f32, f32) {
        let words = self.catalogue.words_of_product(record);
        let (mut said, mut unsaid) = (0.0_f32, 0.0_f32);
        for (word, nats) in words {
            if self.query.words.contains(&word) {
                said = said.max(nats);
            } else {
                unsaid = unsaid.max(nats);
            }
        }
        // a source may know that a print is beyond the count of its set, and not what it shows
        if said + unsaid <= 0.0 && record.flags.get() & card_flag::ABOVE != 0 {
            unsaid = BEYOND_SET;
        }
        (said, (unsaid - said).max(0.0))
    }

    /// Whether a card, one of `prints`, shows this art.
    fn shows(&self, art: Art, record: &CardRecord, prints: &[&CardRecord]) -> Shows {
        let game = self.stats.set_of(record).map_or(0, SetFacts::game);
        let told = |number: u8| self.arts.get(game, number);
        let (rarity, mark) = (told(record.rarity), told(record.mark));
        let either = rarity | mark;
        if art == Art::Collected {
            // such numbers begin with letters, and those of the set do not
            let number = self.catalogue.number_text(record).as_bytes();
            return match number.first() {
                Some(first) if first.is_ascii_alphabetic() => Shows::Yes,
                _ => Shows::No,
            };
        }
        if art == Art::Shiny {
            let shiny = rarity & told::SHINY | mark & told::SHINY_MARK != 0;
            return if shiny { Shows::Yes } else { Shows::No };
        }
        let above = record.flags.get() & card_flag::ABOVE != 0;
        let first = self.is_plain(record, prints);
        let alone = prints.len() == 1;
        if art == Art::Regular {
            return if first { Shows::Yes } else { Shows::No };
        }
        let foil = |word: &str| {
            let mut printings = self.catalogue.printings(record).iter();
            printings.any(|p| self.catalogue.string(p.label).contains(word))
        };
        // Japanese special art bears the mark of the rainbow print of its name, and follows it
        let special = mark & told::RAINBOW != 0 && {
            let mut marked = prints.iter().filter(|print| print.mark == record.mark);
            match (marked.next(), marked.next_back()) {
                (Some(_), Some(last)) if record.illustrator.get() == 0 => same(last, record),
                (Some(_), Some(_)) => self.own_hand(record, prints),
                _ => false,
            }
        };
        let gold = either & told::GOLD != 0 || foil(GOLD_FOIL);
        let rainbow = mark & told::RAINBOW != 0 && !special || foil(RAINBOW_FOIL);
        let secret = above && rarity & told::SECRET != 0;
        let told = mark & told::NOTHING == 0 || gold || rainbow;
        let special = special || either & told::SPECIAL != 0;
        match art {
            Art::Gold if gold => Shows::Yes,
            Art::Rainbow if rainbow => Shows::Yes,
            Art::Gold | Art::Rainbow if told || !secret => Shows::No,
            Art::Gold | Art::Rainbow => Shows::Maybe,
            Art::Full if gold || rainbow => Shows::Maybe,
            Art::Full if either & told::FULL != 0 => match (first && !alone, alone && !above) {
                (true, _) => Shows::No,
                (_, true) => Shows::Maybe,
                _ => Shows::Yes,
            },
            Art::Full if either & (told::SPECIAL | told::ILLUSTRATION) != 0 || secret => {
                Shows::Maybe
            }
            Art::Full => Shows::No,
            Art::Alternate if special => Shows::Yes,
            // of a tag team without a plain print two in full art stand side by side
            Art::Alternate if gold || rainbow || same(prints[0], record) => Shows::No,
            Art::Alternate if self.own_hand(record, prints) => Shows::Yes,
            Art::Alternate | Art::Shiny | Art::Regular | Art::Collected => Shows::No,
        }
    }

    /// Whether a card is the first of `prints`, or of those whose numbers follow the first's: two
    /// plain prints of one name stand side by side, and special ones at the end of the set.
    fn is_plain(&self, record: &CardRecord, prints: &[&CardRecord]) -> bool {
        let number = |print: &CardRecord| self.catalogue.number_text(print).parse::<u16>().ok();
        let follows = |pair: &&[&CardRecord]| match (number(pair[0]), number(pair[1])) {
            (Some(one), Some(next)) => one.checked_add(1) == Some(next),
            _ => false,
        };
        let plain = 1 + prints.windows(2).take_while(follows).count();
        let plain = if plain == prints.len() { 1 } else { plain };
        prints.iter().take(plain).any(|print| same(print, record))
    }

    /// Whether a hand that drew no other of `prints` drew this one, the last of such, after the
    /// first.
    fn own_hand(&self, record: &CardRecord, prints: &[&CardRecord]) -> bool {
        let hand = |print: &CardRecord| print.illustrator.get();
        if hand(record) == 0 {
            return record.flags.get() & card_flag::ALTERNATE != 0;
        }
        let drew = |one: u16| prints.iter().filter(|print| hand(print) == one).count();
        let own = prints
            .iter()
            .skip(1)
            .rev()
            // of some no source says who drew them
            .find(|print| hand(print) != 0 && drew(hand(print)) == 1);
        own.is_some_and(|own| same(own, record))
    }
}

/// The cards of the name in the set of `record`, in the order of their numbers, as many as there is
/// `room` for, of which the first holds `record`.
fn prints<'r, 'c>(
    catalogue: &Columns<'c>,
    record: &CardRecord,
    room: &'r mut [&'c CardRecord; MOST_PRINTS],
) -> &'r [&'c CardRecord] {
    if record.flags.get() & card_flag::REPEATED == 0 {
        return &room[..1];
    }
    let same = |print: &&CardRecord| print.name.get() == record.name.get();
    let of_set = catalogue.cards_of_set(record.set.get());
    let core = catalogue.name_record(record).map(|name| name.core.get());
    let of_core = core.map_or(&[][..], |core| catalogue.cards_of_core(core));
    let mut count = 0;
    if of_core.len() >= of_set.len() {
        let prints = of_set.iter().filter(same);
        for (place, print) in room.iter_mut().zip(prints) {
            *place = print;
            count += 1;
        }
        return &room[..count];
    }
    // most names have fewer cards than a set, and their numbers lie together
    let set = catalogue.set_record(record);
    let set = set.map_or(0..0, SetRecord::cards);
    let mut cards = [0; MOST_PRINTS];
    for card in of_core.iter().map(|card| card.get()) {
        let print = || catalogue.card_record(card);
        if !set.contains(&card) || !print().as_ref().is_some_and(same) {
            continue;
        }
        let at = cards[..count].partition_point(|&before| before < card);
        count = (count + 1).min(MOST_PRINTS);
        // of too many the last is left out
        if let Some(behind @ [_, ..]) = cards.get_mut(at..count) {
            behind.rotate_right(1);
            behind[0] = card;
        }
    }
    for (place, &card) in room.iter_mut().zip(&cards[..count]) {
        *place = catalogue.card_record(card).unwrap_or(place);
    }
    &room[..count]
}

/// Whether two records are one card.
fn same(one: &CardRecord, other: &CardRecord) -> bool {
    one.id.get() == other.id.get()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;

    #[test]
    fn rarities_tell_of_the_art_in_their_own_game() {
        for name in ["Ultra Rare", "SR"] {
            assert_eq!(told("pokemon", name), told::FULL, "{name}");
            assert_eq!(told("yugioh", name), 0, "{name}");
            assert_eq!(told("a game of one's own", name), 0, "{name}");
        }
    }

    #[test]
    fn prints_equal_those_of_a_scan_of_the_set() {
        let catalogue = Catalogue::open(titledex_embedded::INDEX).expect("it opens");
        let catalogue = catalogue.columns();
        let repeated = |record: &&CardRecord| record.flags.get() & card_flag::REPEATED != 0;
        for record in catalogue.cards.iter().filter(repeated) {
            let same = |print: &&CardRecord| print.name.get() == record.name.get();
            let of_set = catalogue.cards_of_set(record.set.get()).iter();
            let scanned = of_set.filter(same).take(MOST_PRINTS);
            let mut room = [record; MOST_PRINTS];
            let found = prints(&catalogue, record, &mut room).iter().copied();
            assert!(found.map(|c| c.id).eq(scanned.map(|c| c.id)));
        }
    }
}
