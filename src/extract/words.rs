//! Words of the dictionary as readings: the rules common to all. The confidence in words of one
//! attribute is in that attribute's file.

use crate::attributes::surroundings::Surroundings;
use crate::attributes::{
    art, condition, game, kind, language, mark, noise, printing, product, rarity,
};
use crate::dictionary::{Dictionary, Tag, Tagged, When};
use crate::parsed::Field;
use crate::reading::context::{Context, around, ending, spanning};
use crate::reading::{Proposal, Value};
use crate::token::{Class, Line};
use crate::word_lists::{ASKING, CARDS_COUNTED, CARDS_IN_CONTAINER, CONTAINED, CONTAINERS};

/// Factor for a word that the dictionary marks as weak.
const WEAK: f32 = 0.6;
/// Factor inside a run of one script, by the word's letters: only a long word is unlikely to be an
/// accident.
const ONE_LETTER_IN_RUN: f32 = 0.1;
const TWO_LETTERS_IN_RUN: f32 = 0.7;
const MORE_LETTERS_IN_RUN: f32 = 0.9;
/// Factor for two small Latin letters, which are a word of some language.
const TWO_SMALL_LETTERS: f32 = 0.8;

/// Marks of a rarity in letters have at most this many.
const LETTERS_OF_MARK: usize = 3;

/// Letters of conditions that are marks of names in Japanese.
const MARKS: [&str; 2] = ["ex", "m"];

/// Whether kana stand next to the token at byte `at` of the key.
fn beside_kana(context: &Context<'_>, at: usize) -> bool {
    let token = context.line.token_at(at);
    let kana = |token: Option<usize>| {
        let class = token.and_then(|token| context.class(token));
        matches!(class, Some(Class::Katakana | Class::Hiragana))
    };
    kana(token.checked_sub(1)) || kana(Some(token + 1))
}

/// Whether letters stand right before the digits of the token at byte `at` of the key: `SL10`.
fn behind_letters(context: &Context<'_>, at: usize) -> bool {
    let token = context.line.token_at(at);
    context.class(token) == Some(Class::Digit)
        && context.glued_before(token) == Some(Class::Latin)
        && context.word(token - 1) != "x"
}

/// Whether Latin letters stand right before the token at byte `at` of the key: `UtR`.
fn ends_word(context: &Context<'_>, at: usize) -> bool {
    context.glued_before(context.line.token_at(at)) == Some(Class::Latin)
}

/// Whether digits stand right beside the one letter at byte `at` of the key.
fn beside_digits(context: &Context<'_>, at: usize) -> bool {
    let token = context.line.token_at(at);
    context.glued_before(token) == Some(Class::Digit)
        || context.glued_behind(token) == Some(Class::Digit)
}

/// Whether one or two digits are glued behind the letters at byte `at` of the key: three are a card's
/// number, as in `LOB-EN001`.
fn before_digits(context: &Context<'_>, at: usize) -> bool {
    let token = context.line.token_at(at);
    context.glued_behind(token) == Some(Class::Digit) && context.word(token + 1).len() <= 2
}

/// Whether stars or brackets stand around the token at byte `at` of the key: `*F*`, `[F]`.
fn is_marked(context: &Context<'_>, at: usize) -> bool {
    let token = context.line.token_at(at);
    context.before(token).ends_with(['*', '(', '['])
        && context.before(token + 1).starts_with(['*', ')', ']'])
}

/// Whether the token at byte `at` of the key begins the title, in brackets or before a colon: `[W]`, `W:`.
fn is_at_head(context: &Context<'_>, at: usize) -> bool {
    at == 0 && (is_marked(context, at) || context.before(1).starts_with(':'))
}

/// Whether words begin with one letter that marks the name before it: `X Box` of `Mega Charizard X Box`.
fn begins_with_mark(context: &Context<'_>, tag: &Tagged, around: &Surroundings<'_>) -> bool {
    around.name_ends.contains(&tag.at)
        && context.word(context.line.token_at(tag.at as usize)).len() == 1
}

/// Whether words end with a plus between two names.
fn joins_names(context: &Context<'_>, tag: &Tagged, around: &Surroundings<'_>) -> bool {
    context.line.key().get(tag.end as usize - 1) == Some(&b'+')
        && around.name_ends.contains(&tag.at)
        && around.name_starts.contains(&tag.end)
}

/// Whether the words of a game name a set beside a subject, or, of games in question, a set or a card;
/// or a set where the title names a game of the catalogue, and they are another's.
fn is_called(around: &Surroundings<'_>, words: &Tagged) -> bool {
    let in_question = around.in_question();
    if !around.subject && !in_question && !(around.of_other)(words.tag) {
        return false;
    }
    let means = (around.means)(words.at, words.end);
    means.set || in_question && means.name
}

/// Whether the words of a game are a rarity of it as well; `games` are those in question.
fn is_rarity(game: &Tagged, tags: &[Tagged], games: u32) -> bool {
    let mut same = spanning(tags, game.at, game.end);
    same.any(|tag| matches!(tag.tag, Tag::Rarity(_)) && tag.games & games != 0)
}

/// Whether a word begins or ends a title without capitals, and counts no money: `mew ex sar jp`, and
/// not `mew ex 350 kr`.
fn ends_small(context: &Context<'_>, at: usize, end: usize) -> bool {
    let before = context.line.token_at(at).checked_sub(1);
    (at == 0 || end == context.line.key().len())
        && before.and_then(|before| context.class(before)) != Some(Class::Digit)
        && context.is_small()
}

/// Whether words are a part of a phrase that says nothing of the card.
fn is_in_noise(tags: &[Tagged], words: &Tagged) -> bool {
    around(tags, words).any(|tag| tag.tag == Tag::Noise)
}

/// Whether words for a language are a part of a phrase that says less of it.
fn is_in_weaker(tags: &[Tagged], words: &Tagged) -> bool {
    let says_less = |tag: &Tagged| matches!(tag.tag, Tag::Language(_)) && tag.when.has(When::WEAK);
    !words.when.has(When::WEAK) && around(tags, words).any(says_less)
}

/// Whether words for a product of some games mean several cards in others.
fn is_also_lot(dictionary: &Dictionary, tags: &[Tagged], product: &Tagged) -> bool {
    let mut same = spanning(tags, product.at, product.end);
    product.games != u32::MAX && same.any(|tag| dictionary.says_lot(tag.tag))
}

/// Whether the conditions of the row hold.
fn counts(
    context: &Context<'_>,
    dictionary: &Dictionary,
    tag: &Tagged,
    tags: &[Tagged],
    around: &Surroundings<'_>,
) -> bool {
    if tag.games & around.games == 0 || means_other(context, dictionary, tag, tags, around) {
        return false;
    }
    let (at, end) = (tag.at as usize, tag.end as usize);
    let marked = || match tag.tag {
        // `mew ex jp`, `mew ex rh`: in small letters such a code stands beside what it is said of
        Tag::Language(_) | Tag::Printing(_) if tag.when.has(When::NUMBER) => {
            context.line.is_upper(context.normalised, at, end)
                || (around.near_hit)(at, end)
                || ends_small(context, at, end)
        }
        // `フカマル S`: in a Japanese title behind a name, too
        Tag::Rarity(_) if end - at <= LETTERS_OF_MARK => {
            context.kana && around.name_ends.contains(&tag.at)
        }
        _ => false,
    };
    let numbered = || marked() || (around.near_number)(at, end);
    (!tag.when.has(When::NUMBER) || numbered())
        && (!tag.when.has(When::GAME) || around.in_question() || numbered())
        && (!tag.when.has(When::GRADER) || around.grader)
        && (!tag.when.has(When::JAPANESE) || around.japanese)
}

/// Whether what stands around words says that they mean something else.
fn means_other(
    context: &Context<'_>,
    dictionary: &Dictionary,
    tag: &Tagged,
    tags: &[Tagged],
    around: &Surroundings<'_>,
) -> bool {
    let (at, end) = (tag.at as usize, tag.end as usize);
    let short = end - at <= LETTERS_OF_MARK;
    match tag.tag {
        Tag::Affix(_) | Tag::Rarity(_) if is_ornament(context, at, end, around) => true,
        // `UtR` is no `R`
        Tag::Rarity(_) if end - at == 1 && ends_word(context, at) => true,
        // `AR1` is a seller's code, but `SAR2枚` counts cards
        Tag::Rarity(_) if short && !context.japanese && before_digits(context, at) => true,
        Tag::Rarity(_) if short => is_small_away(context, (at, end), around),
        // `Reverse Holo Rare` is a reverse holo, and rare
        Tag::Rarity(_) => is_reverse(context, tags, tag),
        // `Wanted: Trafalgar Law` is a wish, `Law Wanted` a poster
        Tag::Printing(_) if is_heading(context, tag, tags) => true,
        // `1 Ponder (LRW) 79 *F*`: a letter is a word of anything without stars or brackets
        Tag::Printing(_) if end - at == 1 && !is_marked(context, at) => true,
        // elsewhere an old card is `alt` in German, but in games whose own word it is
        Tag::Printing(word)
            if short
                && !tag.when.has(When::GAME)
                && art::is_said_in_letters(&dictionary.printings[word as usize].value)
                && !context.line.is_upper(context.normalised, at, end) =>
        {
            !is_said_of_name(context, tag, tags, around)
        }
        // `ホロ` is a rarity of Yu-Gi-Oh!
        Tag::Printing(word) => {
            around.in_question()
                && dictionary.printings[word as usize].field == Field::Finish
                && spanning(tags, tag.at, tag.end).any(|own| {
                    let strong = matches!(own.tag, Tag::Rarity(_)) && !own.when.has(When::WEAK);
                    strong && own.games & around.games != 0
                })
        }
        Tag::Condition(_) => is_no_condition(context, tag, tags, around),
        // `ES4` is a seller's code
        Tag::Language(_) if short && before_digits(context, at) => true,
        // `from Japan` says less than `Japan`
        Tag::Language(_) if is_in_weaker(tags, tag) => true,
        // `HK$90`
        Tag::Language(_) => {
            let (_, to) = context.line.norm_range(at, end);
            context.normalised.text().as_bytes().get(to) == Some(&b'$')
        }
        // `Classeur avec 300 cartes`: what it holds is sold
        Tag::Kind(_) if is_filled(context, at, end) => true,
        // `SL10 carte` counts no cards
        Tag::Kind(_) if behind_letters(context, at) => true,
        // `BUY 4 GET 1`
        Tag::Kind(_) if ASKING.contains(&context.line.text(at, end)) => !is_at_head(context, at),
        // `selling my collection`: a phrase that says nothing says no part of itself
        Tag::Kind(_) | Tag::Sealed(_) if tag.when == When::default() && is_in_noise(tags, tag) => {
            true
        }
        // `Bloomburrow Bundle`: a game's own word for a product that elsewhere is one for a lot
        Tag::Sealed(_) => is_also_lot(dictionary, tags, tag) && !(around.behind_set)(tag),
        Tag::Game(_) => {
            // a word of a game that is the code of a set, beside a subject, or what it calls a card
            is_called(around, tag)
                || (around.part)(tag)
                || begins_with_mark(context, tag, around)
                // `Ghost Rare` says the game, and more
                || is_rarity(tag, tags, around.games)
        }
        // `Pikachu 4` is its number: a card called so is a name of the catalogue
        Tag::Affix(_) if context.class(context.line.token_at(at)) == Some(Class::Digit) => true,
        // the set `S-P` is not the mark `SP`
        Tag::Affix(_) => are_apart(context, at, end),
        _ => false,
    }
}

/// The fewest cards that are no gift with the container that they are in.
const LEAST_IN_CONTAINER: u32 = 20;

/// Whether a word for a container stands before cards that are in it, or before many of them: `Classeur
/// avec cartes`, `Raccoglitore con 200 carte`.
fn is_filled(context: &Context<'_>, at: usize, end: usize) -> bool {
    if !CONTAINERS.contains(&context.line.text(at, end)) {
        return false;
    }
    let cards = |token: usize| CARDS_IN_CONTAINER.contains(&context.word(token));
    let counted = |token: usize| CARDS_COUNTED.contains(&context.word(token));
    let many = |token: usize| {
        let number = context.word(token).parse::<u32>();
        number.is_ok_and(|number| number >= LEAST_IN_CONTAINER)
    };
    let mut tokens = context.line.token_at(end)..context.line.tokens().len();
    tokens.any(|token| {
        let next = token + 1;
        CONTAINED.contains(&context.word(token)) && (cards(next) || many(next) && counted(next + 1))
    })
}

/// Whether words stand before a colon at the start of a title, where those that are also for a kind of
/// listing mean that: `Wanted: …`.
fn is_heading(context: &Context<'_>, words: &Tagged, tags: &[Tagged]) -> bool {
    let kind = |tag: &Tagged| matches!(tag.tag, Tag::Kind(_));
    let next = || context.line.token_at(words.end as usize);
    words.at == 0
        && spanning(tags, words.at, words.end).any(kind)
        && context.before(next()).contains(':')
}

/// Whether a rarity's letters are some word: away from names, sets and kana, `sar` in small letters is one
/// of some language, but `ScR` is a rarity.
fn is_small_away(
    context: &Context<'_>,
    (at, end): (usize, usize),
    around: &Surroundings<'_>,
) -> bool {
    let small = |at: usize| !context.line.is_upper(context.normalised, at, at + 1);
    !(around.near_hit)(at, end)
        && (small(at) || small(end - 1))
        && !(around.near_number)(at, end)
        && !beside_kana(context, at)
}

/// Whether small letters for art stand beside a name with a mark: `Lugia V alt`, `Ho-Oh GX fa`.
fn is_said_of_name(
    context: &Context<'_>,
    tag: &Tagged,
    tags: &[Tagged],
    around: &Surroundings<'_>,
) -> bool {
    let (at, end) = (tag.at as usize, tag.end as usize);
    // `Umbreon V Evolving Skies alt`
    let beside = (around.near_hit)(at, end) || end == context.line.key().len();
    let from = if beside { 0 } else { tag.at };
    let affix = |t: &Tagged| matches!(t.tag, Tag::Affix(_));
    let mut before = ending(tags, from, tag.at).iter();
    // `Alt Mew VMAX`
    let begins = || at == 0 && around.name_starts.contains(&tag.end) && tags.iter().any(affix);
    before.any(|t| affix(t) && t.at < tag.at) || begins()
}

/// Whether words for a condition are a code, a mark of a name or what an attack does.
fn is_no_condition(
    context: &Context<'_>,
    tag: &Tagged,
    tags: &[Tagged],
    around: &Surroundings<'_>,
) -> bool {
    let (at, end) = (tag.at as usize, tag.end as usize);
    let mark = || MARKS.contains(&context.line.text(at, end));
    // `M412`, `4000M`: a seller's code; `リザードンex+カメックスex` joins two names
    end - at == 1 && beside_digits(context, at)
        // in kana, `ex` and `M` are marks of names or sizes: shops write conditions in words there
        || context.kana && mark()
        || joins_names(context, tag, around)
        || is_attack(context, at, end)
        || is_formerly(context, tag, tags)
        || mark() && is_mark(context, tag, tags, around)
}

/// Whether `ex` stands before a grader: `4/102 ex PSA 8`, which it was before.
fn is_formerly(context: &Context<'_>, tag: &Tagged, tags: &[Tagged]) -> bool {
    let (at, end) = (tag.at as usize, tag.end as usize);
    let grader = |next: &Tagged| next.at == tag.end && matches!(next.tag, Tag::Grader(_));
    context.line.text(at, end) == "ex"
        && !context.line.is_upper(context.normalised, at, end)
        && tags.iter().any(grader)
}

/// The damage that attacks do, in steps of ten.
const DAMAGE: std::ops::RangeInclusive<u32> = 20..=400;

/// Whether a word for a flaw says what an attack does: `200 damage`, `190DMG`; not the condition
/// behind a collector number, `4/130 damage` or `60 DMG`.
fn is_attack(context: &Context<'_>, at: usize, end: usize) -> bool {
    let word = context.line.text(at, end);
    if word != "damage" && word != "dmg" {
        return false;
    }
    let token = context.line.token_at(at);
    let Some(digits) = token.checked_sub(1) else {
        return false;
    };
    let number = context.word(digits).parse().unwrap_or(0);
    let glued = context.glued_before(token).is_some();
    DAMAGE.contains(&number)
        && number.is_multiple_of(10)
        && !context.before(digits).ends_with(['/', '#'])
        && (glued || word == "damage")
}

/// Whether letters of a condition are a mark of names: before a word for cards or a product
/// (`Pokemon EX cards`, `EX Starter Box`), in a list of marks (`VMAX, GX, EX`), behind the game where
/// nobody is named (`Pokemon EX / GX bundle`), or behind a word that nothing knows, which is then a
/// name (`Gekkoga EX`).
fn is_mark(
    context: &Context<'_>,
    tag: &Tagged,
    tags: &[Tagged],
    around: &Surroundings<'_>,
) -> bool {
    let (at, end) = (tag.at as usize, tag.end as usize);
    let behind = end < context.line.key().len();
    if behind && ["card", "cards"].contains(&context.word(context.line.token_at(end))) {
        return true;
    }
    let product = |next: &Tagged| next.at == tag.end && matches!(next.tag, Tag::Sealed(_));
    if tags.iter().any(product) {
        return true;
    }
    let token = context.line.token_at(at);
    let Some(before) = token.checked_sub(1) else {
        return false;
    };
    let mut known = false;
    for own in ending(tags, tag.at, tag.at) {
        known = true;
        if matches!(own.tag, Tag::Affix(_)) && !around.name_ends.contains(&own.at)
            || behind && matches!(own.tag, Tag::Game(_)) && !around.subject
        {
            return true;
        }
    }
    let word = context.class(before) == Some(Class::Latin)
        && context.word(before).len() > LETTERS_OF_MARK
        && [" ", "-", ""].contains(&context.gap(before));
    word && !known && !(around.near_hit)(at, end)
}

/// The word for a foil that begins some words for how rare a card is.
const HOLO: &str = "holo";

/// Whether a rarity begins with the end of a longer word for a finish: of `Reverse Holo`.
fn is_reverse(context: &Context<'_>, tags: &[Tagged], rarity: &Tagged) -> bool {
    let text = context.line.text(rarity.at as usize, rarity.end as usize);
    let holo = rarity.at + HOLO.len() as u32;
    text.starts_with(HOLO) && holo < rarity.end && {
        let mut finishes = ending(tags, holo, holo).iter();
        finishes.any(|tag| matches!(tag.tag, Tag::Printing(_)) && tag.at < rarity.at)
    }
}

/// Whether a dash or a space parts two letters.
fn are_apart(context: &Context<'_>, at: usize, end: usize) -> bool {
    let letters = context.line.key()[at..end].is_ascii();
    letters && end - at == 2 && context.line.token_at(at) != context.line.token_at(end - 1)
}

/// Whether a sign is no mark of a card: beside the same sign, where `★★★` is how rare a card is, or
/// an ornament; or away from names, where it stands twice or right behind a word: `☆送料無料☆`,
/// `美品☆`.
fn is_ornament(context: &Context<'_>, at: usize, end: usize, around: &Surroundings<'_>) -> bool {
    let key = context.line.key();
    // most are words
    if key[at].is_ascii_alphanumeric() {
        return false;
    }
    let token = context.line.token_at(at);
    if context.class(token) != Some(Class::Mark) {
        return false;
    }
    let text = context.line.text(at, end).as_bytes();
    if key[..at].ends_with(text) || key[end..].starts_with(text) {
        return true;
    }
    let behind_word = || {
        token.checked_sub(1).is_some_and(|before| {
            context.gap(before).is_empty() && context.class(before) != Some(Class::Mark)
        })
    };
    let again = || {
        key.windows(text.len())
            .filter(|part| *part == text)
            .nth(1)
            .is_some()
    };
    !around.name_ends.contains(&(at as u32)) && (again() || behind_word())
}

/// The attribute of a word, and the confidence in it; `None` if it has none by itself.
fn reading(
    line: &Line,
    dictionary: &Dictionary,
    tag: &Tagged,
    around: &Surroundings<'_>,
) -> Option<(Field, f32)> {
    Some(match tag.tag {
        Tag::Condition(_) => (Field::Condition, condition::quality(around)),
        Tag::Printing(number) => {
            let word = &dictionary.printings[number as usize];
            (word.field, printing::quality(tag, word, around))
        }
        Tag::Rarity(_) => (
            Field::Rarity,
            rarity::quality(line.text(tag.at as usize, tag.end as usize)),
        ),
        Tag::Language(_) => (Field::Language, language::QUALITY),
        Tag::Kind(_) | Tag::Sealed(_) => (Field::Kind, kind::QUALITY),
        Tag::Game(_) => (Field::Game, game::QUALITY),
        Tag::Affix(mark) => (Field::Name, mark::quality(dictionary, tag, mark, around)),
        Tag::Term(_) => (Field::Origin, product::TERM),
        Tag::Noise => (Field::Noise, noise::QUALITY),
        // `graded`, `slab`, `cert` and `ungraded` away from a grade
        Tag::Phrase(number) => noise::phrase(dictionary, number)?,
        Tag::Grader(_) | Tag::Label(_) => return None,
    })
}

/// Whether a negation before the word can take it back: `not the jumbo`, `no box`.
fn deniable(dictionary: &Dictionary, tag: Tag) -> bool {
    match tag {
        Tag::Kind(_)
        | Tag::Sealed(_)
        | Tag::Game(_)
        | Tag::Language(_)
        | Tag::Rarity(_)
        | Tag::Condition(_) => true,
        Tag::Printing(number) => printing::deniable(&dictionary.printings[number as usize]),
        _ => false,
    }
}

/// Proposes a reading for each word that counts.
pub(crate) fn propose(
    context: &Context<'_>,
    dictionary: &Dictionary,
    tags: &[Tagged],
    around: &Surroundings<'_>,
    out: &mut Vec<Proposal>,
) {
    let line = context.line;
    let negations = tags.iter().any(|tag| noise::is_negation(dictionary, tag));
    for tag in tags {
        let other = printing::meant(context, dictionary, tag);
        let tag = other.as_ref().unwrap_or(tag);
        if !counts(context, dictionary, tag, tags, around) {
            continue;
        }
        // `no. 150 Japanese`: languages, finishes and editions are denied by the word before
        // them alone
        let goods = match tag.tag {
            Tag::Kind(_) | Tag::Sealed(_) | Tag::Game(_) => true,
            Tag::Printing(at) => {
                let field = dictionary.printings[at as usize].field;
                matches!(field, Field::Size | Field::Error)
            }
            _ => false,
        };
        if negations
            && deniable(dictionary, tag.tag)
            && noise::denied(context, dictionary, tags, tag.at, goods)
        {
            noise::propose_denied(line, tag, out);
            continue;
        }
        let Some((field, quality)) = reading(line, dictionary, tag, around) else {
            continue;
        };
        let weak = tag.when.has(When::WEAK);
        let of_card = || around.subject || (around.named_apart)(tag.at, tag.end);
        let sure = !weak || field == Field::Pattern && of_card();
        let quality = quality_in_title(context, tag, if sure { quality } else { quality * WEAK });
        let value = Value::Word(tag.tag);
        let mut proposal = Proposal::new(line, (tag.at, tag.end), field, value, quality);
        proposal.weak = weak;
        out.push(proposal);
    }
}

/// Whether a word that is a part of a run begins in one kana and ends in the other: the `リバース` of
/// `よりバースト`.
fn joins_kana(context: &Context<'_>, at: usize, end: usize) -> bool {
    let class = |at: usize| context.class(context.line.token_at(at));
    let kana = (class(at), class(end - 1));
    matches!(
        kana,
        (Some(Class::Hiragana), Some(Class::Katakana))
            | (Some(Class::Katakana), Some(Class::Hiragana))
    )
}

/// Adjusts `quality` by how the word is written in the title.
fn quality_in_title(context: &Context<'_>, tag: &Tagged, mut quality: f32) -> f32 {
    let (at, end) = (tag.at as usize, tag.end as usize);
    if !tag.whole {
        let letters = context.line.text(at, end).chars().count();
        quality *= match letters {
            _ if joins_kana(context, at, end) => 0.0,
            0..=1 => ONE_LETTER_IN_RUN,
            2 => TWO_LETTERS_IN_RUN,
            _ => MORE_LETTERS_IN_RUN,
        };
    }
    let latin_short = end - at <= 2
        && context
            .line
            .tokens()
            .get(context.line.token_at(at))
            .is_some_and(|t| t.class == Class::Latin);
    if latin_short
        && !context.line.is_upper(context.normalised, at, end)
        && !matches!(tag.tag, Tag::Affix(_))
    {
        quality *= TWO_SMALL_LETTERS;
    }
    quality
}
