//! Names and sets of the catalogue in the title: every key of the lexicon that begins and ends on a
//! cut.

use crate::attributes::hit::{Hit, Means};
use crate::attributes::{illustrator, name, product, set};
use crate::catalogue::Columns;
use crate::parsed::Field;
use crate::reading::context::Context;
use crate::reading::{Proposal, Value};
use crate::reference::Reference;
use crate::token::Cut;

/// A key that ends inside a run of kana has at least this many characters: two are too often part
/// of another word.
const LEAST_IN_RUN: usize = 3;
/// Factor for a key that begins or ends inside a run of one script.
const IN_RUN: f32 = 0.8;
/// More hits than any honest title has; a title of nothing but names stops here.
const MAX_HITS: usize = 256;

/// Finds all keys of the lexicon in the title.
pub(crate) fn look_up(reference: &Reference<'_, '_>, context: &Context<'_>, hits: &mut Vec<Hit>) {
    let catalogue = reference.catalogue;
    let (line, key) = (context.line, context.line.key());
    let (lexicon, games) = (catalogue.lexicon(), reference.stats.open_games);
    for start @ (at, left) in line.starts() {
        if hits.len() >= MAX_HITS {
            break;
        }
        let plural = move |end: usize| left == Cut::Full && line.is_plural(at, end);
        for (end, whole, place) in line.keys_from(lexicon, start, plural) {
            if whole || characters(&key[at..end]) >= LEAST_IN_RUN {
                let mut means = Means::of(catalogue, place, games);
                let (at, mut end) = (at as u32, end as u32);
                if line.cut(end as usize) == Cut::None {
                    // `4 Vapor Snares`
                    means = means.only_name();
                    end += 1;
                }
                // `Mysterious Treasures` is no plural of another name
                hits.pop_if(|before| (before.at, before.end) == (at, end));
                hits.push(Hit {
                    at,
                    end,
                    place,
                    whole,
                    means,
                    games,
                });
            }
        }
    }
}

/// Proposes a reading for each hit: a name, a set, or both. `coded`: a number of the title begins with
/// the code of its set.
pub(crate) fn propose(
    catalogue: &Columns<'_>,
    context: &Context<'_>,
    hits: &[Hit],
    (near, coded): (&set::NearCode<'_>, bool),
    out: &mut Vec<Proposal>,
) {
    let set_in_full = coded || hits.iter().any(|hit| set::is_in_full(catalogue, hit));
    for (index, hit) in hits.iter().enumerate() {
        let mut push = |field: Field, quality: f32| {
            let quality = if hit.whole { quality } else { quality * IN_RUN };
            let value = Value::Hit(index as u16);
            out.push(Proposal::new(
                context.line,
                (hit.at, hit.end),
                field,
                value,
                quality,
            ));
        };
        if hit.means.name {
            push(
                Field::Name,
                name::quality(catalogue, context, hit, hits, near.number),
            );
        }
        if hit.means.artist {
            push(Field::Illustrator, illustrator::quality(context, hit));
        }
        if hit.means.word {
            push(Field::Origin, product::WORD);
        }
        if hit.means.set {
            let all = (hits, set_in_full);
            push(Field::Set, set::quality(catalogue, context, hit, all, near));
        }
    }
}

/// Number of characters in `bytes` of UTF-8.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| (**byte as i8) >= -0x40).count()
}
