//! Facts of sets.

use crate::catalogue::Columns;
use crate::catalogue::format::{SetRecord, U24, set_flag};
use crate::sort::sort_by;
use rustc_hash::FxHashMap;

/// What of a set candidates are compared with: eight bytes for the thirty of its record.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SetFacts {
    /// The year of its release; 0 if it is unknown.
    pub(crate) year: u16,
    /// As [`SetRecord::official`].
    pub(crate) official: u16,
    /// Bits of [`set_flag`].
    pub(crate) flags: u8,
    region: u8,
    game: u8,
    /// It is of a series.
    pub(crate) series: bool,
    /// Its cards came out over years under one date: promos, of a set that is not called after its year.
    pub(crate) over_years: bool,
}

impl SetFacts {
    pub(super) fn of(catalogue: &Columns<'_>, set: &SetRecord) -> SetFacts {
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

/// Each set with the total that its cards print, in the order of totals.
pub(super) fn by_total(catalogue: &Columns<'_>) -> Vec<(u32, u32)> {
    let sets = catalogue.sets.iter().zip(0..);
    let mut sets: Vec<(u32, u32)> = sets
        .map(|(set, at)| (set.official.get().into(), at))
        .collect();
    sort_by(&mut sets, Ord::cmp);
    sets
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
pub(super) fn related(catalogue: &Columns<'_>) -> Vec<Vec<u32>> {
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
