//! [`CatalogueStats`]: figures of a catalogue that scoring needs for every candidate, computed
//! once.

use crate::catalogue::format::{CardRecord, SetRecord, U24, card_flag, set_flag};
use crate::catalogue::{Columns, EntryKind, Marks};
use crate::dictionary::{Affix, Dictionary, GameKind, Tag};
use crate::sort::sort_by;
use crate::token::key_of;
use once_cell::sync::OnceCell;
use rustc_hash::FxHashMap;

/// The rarity of promos, which are recognised by their set. It is in the names of some others.
pub(crate) const PROMO: &str = "Promo";

/// Whether a rarity of the catalogue is that of promos, as sources write it.
pub(crate) fn is_of_promos(rarity: &str) -> bool {
    rarity.eq_ignore_ascii_case(PROMO)
}

/// A set of rarity numbers, a bit each.
pub(crate) type Rarities = [u64; 4];

/// Whether `rarities` has `number`.
pub(crate) fn has_rarity(rarities: &Rarities, number: u8) -> bool {
    rarities[usize::from(number) / 64] & 1 << (number % 64) != 0
}

/// What of a set candidates are compared with: eight bytes for the thirty of its record.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SetFacts {
    /// The year of its release; 0 if it is unknown.
    pub(crate) year: u16,
    /// As [`SetRecord::official`].
    pub(crate) official: u16,
    /// Bits of [`set_flag`](crate::catalogue::format::set_flag).
    pub(crate) flags: u8,
    region: u8,
    game: u8,
    /// It is of a series.
    pub(crate) series: bool,
    /// Its cards came out over years under one date: promos, of a set that is not called after its year.
    pub(crate) over_years: bool,
}

impl SetFacts {
    fn of(catalogue: &Columns<'_>, set: &SetRecord) -> SetFacts {
        let year = u16::try_from(set.released.get() / 10_000).unwrap_or(0);
        let promos = set.flags & set_flag::PROMO != 0;
        SetFacts {
            over_years: promos && !catalogue.string(set.name).ends_with(&year.to_string()),
            year,
            official: set.official.get(),
            flags: set.flags,
            region: set.region,
            game: set.game,
            series: set.series.get() != 0,
        }
    }

    /// The place of its game among those of the catalogue.
    pub(crate) fn game(self) -> u8 {
        self.game
    }

    /// As [`SetRecord::is_regional`].
    #[inline]
    pub(crate) fn is_regional(self) -> bool {
        self.region != 0
    }

    /// As [`SetRecord::game_bit`].
    #[inline]
    pub(crate) fn game_bit(self) -> u32 {
        1u32.checked_shl(u32::from(self.game)).unwrap_or(0)
    }
}

/// Facts of a catalogue in the form in which candidates are compared.
#[derive(Clone, Debug)]
pub(crate) struct CatalogueStats {
    /// The number of Japanese among the languages.
    pub(crate) japanese: Option<u8>,
    /// The games of [`Dictionary::folders`] that the catalogue holds, a bit each.
    pub(crate) folders: u32,
    /// Those of them whose numbers begin with the code of a set.
    pub(crate) codes: u32,
    /// Those of them behind whose codes a rarity may stand.
    pub(crate) rated_codes: u32,
    /// The games of the catalogue whose cards' products say how a print looks, a bit each.
    pub(crate) looks: u32,
    /// Those whose prints in Simplified Chinese are cards apart.
    pub(crate) simplified_apart: u32,
    /// Some card has hit points.
    pub(crate) hit_points: bool,
    /// For each game of the dictionary's folders, its bit among those of the catalogue; 0 if the
    /// catalogue has no card of it.
    folder_games: Vec<u32>,
    /// For each game word of the dictionary, the bit of its game among those of the catalogue; 0 if
    /// it names no game that the catalogue holds.
    word_games: Vec<u32>,
    /// The games of the catalogue whose cards a title may mean, a bit each.
    pub(crate) open_games: u32,
    /// They are more than one.
    pub(crate) several_games: bool,
    /// For each rarity word of the dictionary, the rarities of the catalogue that it may mean: in any
    /// game, and if several are opened in that of each folder.
    rarity_words: Vec<Vec<Rarities>>,
    /// The rarities that have a name.
    pub(crate) rarities: Rarities,
    /// The rarities that are called promo.
    pub(crate) promos: Rarities,
    /// The rarities that are a mark of the name.
    pub(crate) marked: Rarities,
    /// Number of cards of each rarity, as rarity or as mark.
    pub(crate) rarity_cards: Vec<u32>,
    /// For each rarity, the name marks that it means.
    pub(crate) rarity_marks: Vec<Marks>,
    /// The marks that the names of a core have.
    pub(crate) core_marks: CoreMarks,
    /// The marks that make another card of a name that has none.
    pub(crate) essential: Marks,
    /// The marks that say whose card it is.
    pub(crate) owners: Marks,
    /// For each core the games that have a card of it; made at the first title that asks, of a
    /// catalogue of several games.
    core_games: OnceCell<Vec<u32>>,
    /// For each word of products the games that have a card with it, all if none has; made at the
    /// first title that says one of a campaign, of a catalogue of several games.
    campaign_games: OnceCell<Vec<u32>>,
    /// The most cards that a core has.
    pub(crate) most_cards: u32,
    /// For each set: those that are a part of it, or that it is a part of.
    related: Vec<Vec<u32>>,
    sets: Vec<SetFacts>,
    /// The sets by the total that their cards print, each with its number, ascending.
    by_total: Vec<(u32, u32)>,
    /// For each set, whether a card of it is known in two languages; made at the first title in a
    /// language such as Korean.
    abroad: OnceCell<Vec<bool>>,
    /// The labels of printings, each once; made at the first title that states a stamp or a rarity.
    labels: OnceCell<Vec<U24>>,
    /// For each printing word of the dictionary, the labels that say it; made when it is first
    /// stated.
    stamped: Vec<OnceCell<Vec<u32>>>,
    /// For each printing word of the dictionary the word of products that has its name; looked up
    /// when it is first stated.
    worded: Vec<OnceCell<Option<u16>>>,
    /// For each rarity word of the dictionary, the printings of such a rarity; made when it is
    /// first stated.
    rated: Vec<Vec<OnceCell<Rated>>>,
    /// The labels that tell a rarity, ascending; made with the first of them.
    telling: OnceCell<Vec<u32>>,
    /// See [`CatalogueStats::marks_above`].
    above: OnceCell<Rarities>,
    /// Sets of games whose cards keep their numbers, each with the labels of printings that say it,
    /// ascending; made at the first title that names such a set.
    sold_in: OnceCell<Vec<(u32, u32)>>,
}

/// Passes on the parts of a label in brackets.
pub(crate) type Parts = fn(&str, &mut dyn FnMut(&str));

/// The printings of a rarity: those of cards that have several.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rated {
    /// Their labels, ascending.
    pub(crate) labels: Vec<u32>,
    /// Number of cards that have one.
    pub(crate) cards: u32,
}

/// For each core the marks that its names have. Most cores have none.
#[derive(Clone, Debug)]
pub(crate) struct CoreMarks {
    /// For each core its place in `marks`.
    places: Vec<u32>,
    /// The first is empty, of the cores whose names have none.
    marks: Vec<Marks>,
    /// For each of them the marks of each name that has some, every combination once; made at the
    /// first title that needs them.
    names: OnceCell<Vec<Vec<Marks>>>,
}

impl CoreMarks {
    fn of(catalogue: &Columns<'_>) -> CoreMarks {
        // zeros that nobody looks at take no memory
        let mut places = vec![0u32; catalogue.cores.len()];
        let mut marks = vec![Marks::default()];
        let marked = catalogue.names.iter().map(|name| (name, name.marks()));
        for (name, own) in marked.filter(|(_, own)| !own.is_empty()) {
            let Some(place) = places.get_mut(name.core.get() as usize) else {
                continue;
            };
            if *place == 0 {
                *place = marks.len() as u32;
                marks.push(Marks::default());
            }
            let all = &mut marks[*place as usize];
            *all = all.union(own);
        }
        CoreMarks {
            places,
            marks,
            names: OnceCell::new(),
        }
    }

    /// The combinations of marks in `names`.
    fn combinations(&self, catalogue: &Columns<'_>) -> Vec<Vec<Marks>> {
        let mut names = vec![Vec::new(); self.marks.len()];
        for name in catalogue.names.iter() {
            let (place, own) = (self.place(name.core.get()), name.marks());
            if !own.is_empty() && !names[place].contains(&own) {
                names[place].push(own);
            }
        }
        names
    }

    /// The place of a core in `marks`.
    #[inline]
    fn place(&self, core: u32) -> usize {
        self.places.get(core as usize).map_or(0, |&at| at as usize)
    }

    /// The marks of all names of a core that have those in `stated`: each Charizard that is a Gold
    /// Star is of a Delta Species, too. None if no name has them.
    pub(crate) fn implied(&self, catalogue: &Columns<'_>, core: u32, stated: Marks) -> Marks {
        let names = self.names.get_or_init(|| self.combinations(catalogue));
        let names = names[self.place(core)].iter().copied();
        names
            .filter(|own| stated.minus(*own).is_empty())
            .reduce(Marks::common)
            .unwrap_or_default()
    }

    /// The marks of a core.
    #[inline]
    pub(crate) fn get(&self, core: u32) -> Marks {
        self.marks
            .get(self.place(core))
            .copied()
            .unwrap_or_default()
    }
}

/// The marks of a kind.
fn marks_that(dictionary: &Dictionary, are: impl Fn(&Affix) -> bool) -> Marks {
    let marks = (0..).zip(&dictionary.affixes);
    let found = marks.filter(|(_, affix)| are(affix));
    found.fold(Marks::default(), |marks, (mark, _)| marks.with(mark))
}

impl CatalogueStats {
    /// The labels of printings that say printing word `word`; `says` tells whether one does.
    pub(crate) fn stamped(
        &self,
        catalogue: &Columns<'_>,
        word: u16,
        says: impl Fn(&str) -> bool,
    ) -> &[u32] {
        let Some(stamped) = self.stamped.get(word as usize) else {
            return &[];
        };
        stamped.get_or_init(|| self.labels_that(catalogue, says))
    }

    /// The word of products that has the name of printing word `word`, `name`: `EA` is short for
    /// `extended art`.
    pub(crate) fn product_word(
        &self,
        catalogue: &Columns<'_>,
        word: u16,
        name: &str,
    ) -> Option<u16> {
        *self.worded.get(usize::from(word))?.get_or_init(|| {
            let place = catalogue.lexicon().get(key_of(name).as_bytes())?;
            let mut words = catalogue
                .entries(place)
                .filter(|e| e.kind() == EntryKind::Word);
            words.next().map(|word| word.id() as u16)
        })
    }

    /// The printings of cards of several rarities that are of the rarity that word `word` of the
    /// dictionary names in `game`, as [`RarityWord::names`](crate::dictionary::RarityWord::names) has
    /// it. `parts` passes on the parts of a label in brackets.
    pub(crate) fn rated(
        &self,
        catalogue: &Columns<'_>,
        dictionary: &Dictionary,
        (word, game): (u16, Option<usize>),
        parts: Parts,
    ) -> Option<&Rated> {
        let labels_of = |is: &dyn Fn(&str) -> bool| {
            self.labels_that(catalogue, |label| {
                let mut told = false;
                parts(label, &mut |part| told |= is(part));
                told
            })
        };
        self.telling.get_or_init(|| {
            labels_of(&|part| {
                let mut words = dictionary.rarities.iter();
                words.any(|word| word.names(part, None))
            })
        });
        let named = dictionary.rarities.get(word as usize)?;
        let rated = in_game(&self.rated, word, game)?;
        Some(rated.get_or_init(|| {
            let labels = labels_of(&|part| named.names(part, game));
            let has = |card: &&CardRecord| {
                let mut printings = catalogue.printings(card).iter();
                printings.any(|printing| labels.binary_search(&printing.label.get()).is_ok())
            };
            let cards = match labels[..] {
                [] => 0,
                _ => catalogue.cards.iter().filter(has).count() as u32,
            };
            Rated { labels, cards }
        }))
    }

    /// Whether the label of a printing, of a catalogue of which a rarity was asked, tells a rarity.
    pub(crate) fn tells_rarity(&self, label: u32) -> bool {
        let telling = self.telling.get();
        telling.is_some_and(|labels| labels.binary_search(&label).is_ok())
    }

    /// The marks of rarity that further regions print on secret cards: for each card that is numbered
    /// within the count of its set, more than a hundred are above it.
    pub(crate) fn marks_above(&self, catalogue: &Columns<'_>) -> Rarities {
        *self.above.get_or_init(|| {
            let mut cards = [[0_u32; 2]; 256];
            let regional =
                |card: &&CardRecord| self.set_of(card).is_some_and(SetFacts::is_regional);
            for card in catalogue.cards.iter().filter(regional) {
                let above = card.flags.get() & card_flag::ABOVE != 0;
                cards[usize::from(card.mark)][usize::from(above)] += 1;
            }
            let mut marks = Rarities::default();
            for (number, [within, above]) in cards.into_iter().enumerate().skip(1) {
                let bit = 1 << (number % 64);
                marks[number / 64] |= if within * 100 < above { bit } else { 0 };
            }
            marks
        })
    }

    /// The labels of printings that say that they are of this set: `Foil [SP, OP12]`. `parts` as in
    /// [`CatalogueStats::rated`].
    pub(crate) fn sold_in(
        &self,
        catalogue: &Columns<'_>,
        set: u32,
        parts: Parts,
    ) -> impl Iterator<Item = u32> {
        let all = self.sold_in.get_or_init(|| {
            let sets = (0..).zip(catalogue.sets.iter());
            let sets = sets.filter(|(_, set)| set.flags & set_flag::REPRINTED != 0);
            let codes = sets.map(|(number, set)| (catalogue.string(set.code), number));
            let codes: FxHashMap<&str, u32> = codes.collect();
            // what promos came with is a set of its own, of which no card is listed
            let empty =
                |set: &SetRecord| set.count.get() == 0 && set.flags & set_flag::REPRINTED != 0;
            let named = |part: &str| {
                let place = catalogue.lexicon().get(key_of(part).as_bytes());
                let entries = place.into_iter().flat_map(|place| catalogue.entries(place));
                let sets = entries.filter(|entry| entry.kind() == EntryKind::Set);
                sets.map(|entry| entry.id())
                    .filter(|&set| catalogue.sets.get(set as usize).is_some_and(empty))
            };
            let mut all = Vec::new();
            for label in self.labels(catalogue) {
                parts(catalogue.string(*label), &mut |part| {
                    let said = part.split('-').filter_map(|code| codes.get(code));
                    all.extend(said.map(|&set| (set, label.get())));
                    if !codes.is_empty() {
                        all.extend(named(part).map(|set| (set, label.get())));
                    }
                });
            }
            sort_by(&mut all, Ord::cmp);
            all
        });
        let from = all.partition_point(|(other, _)| *other < set);
        let own = all[from..].iter();
        own.take_while(move |(other, _)| *other == set)
            .map(|(_, label)| *label)
    }

    /// Whether a card of this set is known in two languages of its region.
    pub(crate) fn is_known_abroad(&self, catalogue: &Columns<'_>, set: u32) -> bool {
        let all = self.abroad.get_or_init(|| {
            let mut all = vec![false; catalogue.sets.len()];
            for card in catalogue.cards {
                if let Some(set) = all.get_mut(card.set.get() as usize) {
                    *set |= catalogue.locals(card).len() > 1;
                }
            }
            all
        });
        all.get(set as usize).is_some_and(|abroad| *abroad)
    }

    /// The labels of printings that `says` holds for, ascending.
    fn labels_that(&self, catalogue: &Columns<'_>, says: impl Fn(&str) -> bool) -> Vec<u32> {
        let labels = self.labels(catalogue).iter();
        let labels = labels.filter(|label| says(catalogue.string(**label)));
        let mut labels: Vec<u32> = labels.map(|label| label.get()).collect();
        labels.sort_unstable();
        labels
    }

    /// The labels of printings, each once.
    fn labels(&self, catalogue: &Columns<'_>) -> &[U24] {
        self.labels.get_or_init(|| {
            let (mut seen, mut labels) = (Vec::new(), Vec::new());
            for card in catalogue.cards {
                for printing in catalogue.printings(card) {
                    let at = printing.label.get() as usize;
                    if seen.len() <= at {
                        seen.resize(at + 1, false);
                    }
                    if !std::mem::replace(&mut seen[at], true) {
                        labels.push(printing.label);
                    }
                }
            }
            labels
        })
    }

    /// Reads them from `catalogue`, of whose games those of `open_games` are open.
    pub(crate) fn of(
        catalogue: &Columns<'_>,
        dictionary: &Dictionary,
        open_games: u32,
    ) -> CatalogueStats {
        let open = |id: &str| catalogue.game_bit(id) & open_games;
        let several_games = (catalogue.all_games() & open_games).count_ones() > 1;
        let mut stats = CatalogueStats {
            japanese: catalogue.language_number("japanese"),
            folders: 0,
            codes: 0,
            rated_codes: 0,
            looks: 0,
            simplified_apart: 0,
            hit_points: catalogue.cards.iter().any(|card| card.hp != 0),
            folder_games: dictionary
                .folders
                .iter()
                .map(|game| open(&game.id))
                .collect(),
            word_games: dictionary
                .games
                .iter()
                .map(|word| match word.kind {
                    GameKind::Game => open(&word.name),
                    _ => 0,
                })
                .collect(),
            open_games,
            several_games,
            rarity_words: rarity_words(catalogue, dictionary, several_games),
            rarities: [0; 4],
            promos: [0; 4],
            marked: [0; 4],
            rarity_cards: (0..catalogue.rarity_count().min(256))
                .map(|n| catalogue.rarity_cards(n as u8))
                .collect(),
            rarity_marks: Vec::new(),
            abroad: OnceCell::new(),
            labels: OnceCell::new(),
            stamped: vec![OnceCell::new(); dictionary.printings.len()],
            worded: vec![OnceCell::new(); dictionary.printings.len()],
            rated: vec![
                vec![OnceCell::new(); dictionary.rarities.len()];
                dictionary.folders.len() + 1
            ],
            telling: OnceCell::new(),
            above: OnceCell::new(),
            sold_in: OnceCell::new(),
            core_marks: CoreMarks::of(catalogue),
            essential: marks_that(dictionary, |mark| mark.essential),
            owners: marks_that(dictionary, |mark| mark.owner),
            core_games: OnceCell::new(),
            campaign_games: OnceCell::new(),
            most_cards: catalogue
                .cores
                .iter()
                .map(|core| core.count.get())
                .max()
                .unwrap_or(0),
            related: related(catalogue),
            sets: catalogue
                .sets
                .iter()
                .map(|set| SetFacts::of(catalogue, set))
                .collect(),
            by_total: by_total(catalogue),
        };
        for (folder, _) in (0..).zip(&stats.folder_games).filter(|(_, bit)| **bit != 0) {
            stats.folders |= 1 << folder;
        }
        stats.codes = dictionary.codes.games() & stats.folders;
        let rated = (0..).zip(&dictionary.folders);
        stats.rated_codes = rated
            .filter(|(_, game)| game.rarity_behind_code)
            .fold(0, |games, (folder, _)| games | 1 << folder)
            & stats.codes;
        for (game, bit) in dictionary.folders.iter().zip(&stats.folder_games) {
            stats.looks |= if game.products_are_looks { *bit } else { 0 };
            stats.simplified_apart |= if game.simplified_apart { *bit } else { 0 };
        }
        let affixes: Vec<String> = dictionary
            .affixes
            .iter()
            .map(|affix| key_of(&affix.name))
            .collect();
        for number in 0..stats.rarity_cards.len() {
            let name = catalogue.rarity(number as u8);
            let bit = 1 << (number % 64);
            stats.rarities[number / 64] |= if name.is_empty() { 0 } else { bit };
            stats.promos[number / 64] |= if is_of_promos(name) { bit } else { 0 };
            let marks = rarity_marks(&affixes, name);
            stats.marked[number / 64] |= if marks == Marks::default() { 0 } else { bit };
            stats.rarity_marks.push(marks);
        }
        stats
    }

    /// Whether the words name a game that the catalogue holds.
    pub(crate) fn is_held_game(&self, tag: Tag) -> bool {
        self.game_of_word(tag) != 0
    }

    /// The bit, among the games of the catalogue, of the game that the words name; 0 if they name
    /// none of them.
    pub(crate) fn game_of_word(&self, tag: Tag) -> u32 {
        match tag {
            Tag::Game(at) => self.word_games.get(usize::from(at)).copied().unwrap_or(0),
            _ => 0,
        }
    }

    /// The games of the catalogue that have a card of a core, a bit each; all bits of a catalogue of
    /// one game.
    pub(crate) fn games_of_core(&self, catalogue: &Columns<'_>, core: u32) -> u32 {
        if !self.several_games {
            return u32::MAX;
        }
        let games = self.core_games.get_or_init(|| core_games(catalogue));
        games.get(core as usize).map_or(0, |games| *games)
    }

    /// The games of the catalogue that have a card of the campaign that product word `word` names, a bit
    /// each: `Promo Pack` is one of Magic, and a pack of any game's promos.
    pub(crate) fn games_of_campaign(&self, catalogue: &Columns<'_>, word: u16) -> u32 {
        if !self.several_games {
            return u32::MAX;
        }
        let games = (self.campaign_games).get_or_init(|| campaign_games(catalogue));
        games
            .get(usize::from(word))
            .map_or(u32::MAX, |games| *games)
    }

    /// The place among the dictionary's folders of the only game of `games`, where several are
    /// opened.
    pub(crate) fn folder_of_game(&self, games: u32) -> Option<usize> {
        let mut held = self.folder_games.iter();
        held.position(|&bit| bit != 0 && bit == games)
            .filter(|_| self.several_games)
    }

    /// The rarities of the catalogue that word `word` of the dictionary means in `game`, as
    /// [`RarityWord::names`](crate::dictionary::RarityWord::names) has it.
    pub(crate) fn rarities_of(&self, word: u16, game: Option<usize>) -> Rarities {
        let meant = in_game(&self.rarity_words, word, game);
        meant.copied().unwrap_or_default()
    }

    /// Games of the catalogue as games of the dictionary's folders.
    pub(crate) fn folders_of_games(&self, games: u32) -> u32 {
        let held = (0..).zip(&self.folder_games);
        held.filter(|(_, bit)| games & **bit != 0)
            .fold(0, |folders, (folder, _)| folders | 1 << folder)
    }

    /// Games of the dictionary's folders as games of the catalogue.
    pub(crate) fn games_of_folders(&self, folders: u32) -> u32 {
        let held = (0..).zip(&self.folder_games);
        held.filter(|(folder, _)| folders & 1 << folder != 0)
            .fold(0, |games, (_, bit)| games | bit)
    }

    /// The facts of a card's set.
    #[inline]
    pub(crate) fn set_of(&self, card: &CardRecord) -> Option<SetFacts> {
        self.sets.get(card.set.get() as usize).copied()
    }

    /// The sets whose cards print this total, ascending.
    pub(crate) fn sets_of_total(&self, total: u16) -> impl Iterator<Item = u32> + Clone {
        let total = u32::from(total);
        let from = self.by_total.partition_point(|(other, _)| *other < total);
        let sets = self.by_total[from..].iter();
        sets.take_while(move |(other, _)| *other == total)
            .map(|(_, set)| *set)
    }

    /// The sets that are a part of `set`, or that it is a part of.
    pub(crate) fn related(&self, set: u32) -> &[u32] {
        self.related.get(set as usize).map_or(&[], Vec::as_slice)
    }
}

/// Each set with the total that its cards print, in the order of totals.
fn by_total(catalogue: &Columns<'_>) -> Vec<(u32, u32)> {
    let sets = catalogue.sets.iter().zip(0..);
    let mut sets: Vec<(u32, u32)> = sets
        .map(|(set, at)| (set.official.get().into(), at))
        .collect();
    sort_by(&mut sets, Ord::cmp);
    sets
}

/// For each core the games that have a card of it, a bit each.
fn core_games(catalogue: &Columns<'_>) -> Vec<u32> {
    let mut games = vec![0; catalogue.cards.len()];
    for set in catalogue.sets {
        let cards = set.cards();
        if let Some(cards) = games.get_mut(cards.start as usize..cards.end as usize) {
            cards.fill(set.game_bit());
        }
    }
    let of_core = |core: usize| {
        let cards = catalogue.cards_of_core(core as u32).iter();
        let games = cards.filter_map(|card| games.get(card.get() as usize));
        games.fold(0, |all, game| all | game)
    };
    (0..catalogue.cores.len()).map(of_core).collect()
}

/// For each word of products the games whose cards came with one that has it, all if none did.
fn campaign_games(catalogue: &Columns<'_>) -> Vec<u32> {
    let mut games: Vec<u32> = Vec::new();
    for set in catalogue.sets {
        for card in set.cards().filter_map(|card| catalogue.card_record(card)) {
            for (word, _) in catalogue.words_of_product(card) {
                let word = usize::from(word);
                games.resize(games.len().max(word + 1), 0);
                games[word] |= set.game_bit();
            }
        }
    }
    let all = |games: &mut u32| *games = if *games == 0 { u32::MAX } else { *games };
    games.iter_mut().for_each(all);
    games
}

/// What a list has of a rarity word in a game: it has one list of all words for any game, and then
/// one for the game of each folder.
fn in_game<T>(lists: &[Vec<T>], word: u16, game: Option<usize>) -> Option<&T> {
    let words = lists.get(game.map_or(0, |game| game + 1))?;
    words.get(usize::from(word))
}

/// For each rarity word of the dictionary the rarities of the catalogue that bear one of its names:
/// in any game, and if `several` are opened in that of each folder.
fn rarity_words(
    catalogue: &Columns<'_>,
    dictionary: &Dictionary,
    several: bool,
) -> Vec<Vec<Rarities>> {
    let count = catalogue.rarity_count().min(256);
    let names: Vec<&str> = (0..count).map(|n| catalogue.rarity(n as u8)).collect();
    let folders = (0..dictionary.folders.len()).filter(|_| several).map(Some);
    let in_game = |folder: Option<usize>| {
        let words = dictionary.rarities.iter().map(|word| {
            let mut bits: Rarities = [0; 4];
            for (number, _) in
                (names.iter().enumerate()).filter(|(_, name)| word.names(name, folder))
            {
                bits[number / 64] |= 1 << (number % 64);
            }
            bits
        });
        words.collect()
    };
    std::iter::once(None).chain(folders).map(in_game).collect()
}

/// The marks whose name is a word of `rarity`: `Prime` of `Rare PRIME`. `affixes` are the keys of
/// the marks, by bit.
fn rarity_marks(affixes: &[String], rarity: &str) -> Marks {
    let words: Vec<String> = rarity.split(' ').map(key_of).collect();
    let bits = (0u16..)
        .zip(affixes)
        .filter(|(_, affix)| words.contains(affix));
    bits.fold(Marks::default(), |marks, (bit, _)| marks.with(bit))
}

/// What follows a set's name in that of its promos: `Core Set 2021 Promos`.
const PROMOS: &str = " Promos";

/// Whether a set is of another's promos.
pub(crate) fn are_promos(catalogue: &Columns<'_>, set: &SetRecord) -> bool {
    catalogue.string(set.name).ends_with(PROMOS)
}

/// Whether the set `part` is a part of the set `whole`, if they are related: by its id or its name.
pub(crate) fn is_part(catalogue: &Columns<'_>, part: &SetRecord, whole: &SetRecord) -> bool {
    let begins = |text: fn(&SetRecord) -> U24| {
        catalogue
            .string(text(part))
            .starts_with(catalogue.string(text(whole)))
    };
    begins(|set| set.id) || begins(|set| set.name)
}

/// The sets whose id is that of another, of more than three bytes, followed by letters, and that
/// were released on the same day: `swsh12` and `swsh12tg`, but not the expansions `SM10` and
/// `SM10a`; and those whose name says that they are promos of another.
fn related(catalogue: &Columns<'_>) -> Vec<Vec<u32>> {
    let ids: FxHashMap<&str, u32> = catalogue
        .sets
        .iter()
        .zip(0..)
        .map(|(set, number)| (catalogue.string(set.id), number))
        .collect();
    let released = |set: u32| {
        let record = catalogue.sets.get(set as usize);
        record.map_or(0, |set| set.released.get())
    };
    let mut all = vec![Vec::new(); catalogue.set_count()];
    for (id, &set) in &ids {
        let letters = id.bytes().rev().take_while(u8::is_ascii_alphabetic).count();
        for whole in (id.len() - letters..id.len())
            .filter(|end| *end > 3)
            .filter_map(|end| ids.get(&id[..end]))
            .filter(|whole| released(set) != 0 && released(set) == released(**whole))
        {
            all[*whole as usize].push(set);
            all[set as usize].push(*whole);
        }
    }
    let sets = || catalogue.sets.iter().zip(0u32..);
    let promos = sets().filter_map(|(set, number)| {
        let name = catalogue.string(set.name).strip_suffix(PROMOS)?;
        Some(((name, set.game), number))
    });
    let promos: FxHashMap<_, u32> = promos.collect();
    if promos.is_empty() {
        return all;
    }
    for (set, whole) in sets() {
        if let Some(&part) = promos.get(&(catalogue.string(set.name), set.game)) {
            all[whole as usize].push(part);
            all[part as usize].push(whole);
        }
    }
    all
}
