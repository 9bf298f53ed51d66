//! Lower bounds: what reading a title costs at least, if nothing is done with what is found.

use crate::Failure;
use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use std::collections::BTreeSet;
use titledex::Catalogue;
use titledex::internals::build::vocabulary::Vocabulary;
use titledex::internals::dictionary;
use titledex::internals::token::key_of;
use xxhash_rust::xxh3::xxh3_64;

/// All that titledex looks for, in one automaton a way of matching.
pub(crate) struct Limits {
    /// Every word that is found, those inside others too: what titledex must see.
    overlapping: AhoCorasick,
    /// Finds only the longest word at each place.
    longest: AhoCorasick,
    /// Number of different words.
    pub(crate) words: usize,
}

impl Limits {
    /// Automata of the dictionaries' aliases, and of all names, sets and aliases of them that
    /// `catalogue` knows.
    pub(crate) fn of(catalogue: &Catalogue) -> Result<Limits, Failure> {
        let mut words: BTreeSet<String> = BTreeSet::new();
        for (_, text) in dictionary::FILES.iter().copied() {
            let mut rows = csv_rows(text);
            words.extend(rows.by_ref().flat_map(|row| {
                row.get(1)
                    .unwrap_or("")
                    .split('|')
                    .map(key_of)
                    .collect::<Vec<_>>()
            }));
        }
        let vocabulary = Vocabulary::builtin()?;
        let mut named: BTreeSet<String> = BTreeSet::new();
        named.extend(
            vocabulary
                .subjects
                .iter()
                .flat_map(|subject| subject.names.iter().map(|(_, name)| key_of(name))),
        );
        named.extend(
            vocabulary
                .set_aliases
                .values()
                .flatten()
                .map(|(alias, _)| key_of(alias)),
        );
        named.extend(
            vocabulary
                .nicknames
                .iter()
                .flat_map(|nickname| nickname.aliases.iter().map(|alias| key_of(alias))),
        );
        named.extend(
            vocabulary
                .misspellings
                .iter()
                .flat_map(|(_, wrong)| wrong.iter().map(|word| key_of(word))),
        );
        named.extend(vocabulary.product_words.iter().flat_map(|word| {
            word.aliases
                .iter()
                .chain([&word.word])
                .map(|alias| key_of(alias))
        }));
        let mut written: BTreeSet<&str> = BTreeSet::new();
        for facts in catalogue.facts() {
            written.extend([
                facts.card.name,
                facts.card.set_name,
                facts.set_code,
                facts.set_local_name,
            ]);
            written.extend(facts.card.names.iter().map(|local| local.name));
            written.extend(
                [facts.card.illustrator, facts.card.product]
                    .into_iter()
                    .flatten(),
            );
        }
        named.extend(written.into_iter().map(key_of));
        words.extend(named.into_iter().filter(|key| catalogue.knows(key)));
        words.remove("");
        // a DFA of this many words takes 200 MB and is slower; the contiguous automaton is the
        // fastest
        let build = |kind: MatchKind| {
            AhoCorasick::builder()
                .match_kind(kind)
                .kind(Some(AhoCorasickKind::ContiguousNFA))
                .build(&words)
        };
        Ok(Limits {
            overlapping: build(MatchKind::Standard)?,
            longest: build(MatchKind::LeftmostLongest)?,
            words: words.len(),
        })
    }

    /// Counts the words in `key`, including those inside others.
    pub(crate) fn overlapping(&self, key: &[u8]) -> usize {
        self.overlapping
            .find_overlapping_iter(key)
            .map(|found| found.end())
            .fold(0, usize::wrapping_add)
    }

    /// Counts the words in `key`, the longest at each place.
    pub(crate) fn longest(&self, key: &[u8]) -> usize {
        self.longest
            .find_iter(key)
            .map(|found| found.end())
            .fold(0, usize::wrapping_add)
    }
}

/// Copies the bytes and hashes them: nothing that reads a title is faster.
pub(crate) fn hash(title: &str, copy: &mut Vec<u8>) -> u64 {
    copy.clear();
    copy.extend_from_slice(title.as_bytes());
    xxh3_64(copy)
}

/// The rows of a dictionary file.
fn csv_rows(text: &'static str) -> impl Iterator<Item = csv::StringRecord> {
    csv::Reader::from_reader(text.as_bytes())
        .into_records()
        .map_while(Result::ok)
}
