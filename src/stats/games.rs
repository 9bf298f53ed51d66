//! The games of a catalogue, and those of the dictionary's folders.

use super::CatalogueStats;
use crate::catalogue::Columns;
use crate::dictionary::Tag;

impl CatalogueStats {
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
