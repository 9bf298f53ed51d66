//! The readings that won → [`Parsed`].

use crate::catalogue::Marks;
use crate::catalogue::format::{CardRecord, SetRecord, card_flag, pack_number, set_flag};
use crate::catalogue::{AliasKind, EntryKind};
use crate::clues::ask::{also_rarity, names_in_chinese};
use crate::dictionary::{Dictionary, Tag};
use crate::extract::number::{NumberKind, unscanned};
use crate::extract::{Proposal, Value, overlapping};
use crate::found::Found;
use crate::math::squash;
use crate::parsed::{
    Condition, Field, Finish, Grade, GradeValue, GraderCode, Parsed, PrintingReading, Reading,
    SetReading, Unread,
};
use crate::score::features::Feature;
use std::borrow::Cow;

/// No more readings that lost are shown than this.
const MAX_ALTERNATIVES: usize = 24;

/// Writes what the title states.
pub(super) fn parsed<'t>(found: &Found<'_, 't>) -> Parsed<'t> {
    let chosen = found.chosen;
    // a grade is read as up to five things
    let parsed = Parsed {
        spans: Vec::with_capacity(chosen.len() + 4),
        ..Parsed::default()
    };
    let mut writer = Writer {
        found,
        parsed,
        printing: PrintingReading::default(),
    };
    for proposal in chosen {
        writer.add(proposal);
    }
    writer.name(chosen);
    writer.number(chosen);
    writer.set(chosen);
    writer.language(chosen);
    writer.rest(chosen)
}

struct Writer<'w, 'f, 't> {
    found: &'w Found<'f, 't>,
    parsed: Parsed<'t>,
    printing: PrintingReading<'t>,
}

impl<'t> Writer<'_, '_, 't> {
    fn reading(
        &self,
        field: Field,
        value: impl Into<Cow<'t, str>>,
        at: u32,
        end: u32,
        confidence: f32,
    ) -> Reading<'t> {
        let context = &self.found.context;
        let span = context
            .line
            .span(context.normalised, at as usize, end as usize);
        let text = span.text(self.found.title);
        Reading {
            field,
            value: value.into(),
            span,
            text: text.into(),
            confidence,
        }
    }

    fn push(
        &mut self,
        field: Field,
        value: impl Into<Cow<'t, str>>,
        at: u32,
        end: u32,
        confidence: f32,
    ) {
        if end > at {
            let reading = self.reading(field, value, at, end, confidence);
            self.parsed.spans.push(reading);
        }
    }

    /// How sure a chosen reading is beside the strongest one that it won over.
    fn confidence(&self, proposal: &Proposal) -> f32 {
        let place = self.found.chosen.partition_point(|c| c.at < proposal.at);
        let rival = self.found.rivals.get(place).copied().unwrap_or(0.0);
        rounded(squash((proposal.weight - rival) * 0.8 + 0.5) as f32)
    }

    fn add(&mut self, proposal: &Proposal) {
        let dictionary = self.found.reference.dictionary;
        let confidence = self.confidence(proposal);
        let (at, end) = (proposal.at, proposal.end);
        match proposal.value {
            Value::Word(Tag::Condition(number)) => {
                let code = dictionary.conditions[number as usize].as_str();
                if code == "flaw" {
                    self.push(Field::Noise, code, at, end, confidence);
                    return;
                }
                self.push(Field::Condition, code, at, end, confidence);
                self.parsed.condition = self.parsed.condition.or(Condition::called(code));
            }
            Value::Word(Tag::Printing(number)) => {
                let word = &dictionary.printings[number as usize];
                self.push(word.field, word.value.as_str(), at, end, confidence);
                let slot = match word.field {
                    Field::Edition => Some(&mut self.printing.edition),
                    Field::Pattern => Some(&mut self.printing.pattern),
                    Field::Size => Some(&mut self.printing.size),
                    _ => None,
                };
                match slot {
                    Some(slot) => {
                        slot.get_or_insert(word.value.as_str().into());
                    }
                    None if word.field == Field::Finish => {
                        // `reverse holo` and `non-holo` say more than a `holo` beside them
                        let slot = &mut self.printing.finish;
                        if slot.is_none() || *slot == Some(Finish::Holo) {
                            *slot = Finish::called(&word.value);
                        }
                    }
                    None => {
                        let list = match word.field {
                            Field::Stamp => &mut self.printing.stamps,
                            Field::Treatment => &mut self.printing.treatment,
                            _ => &mut self.printing.errors,
                        };
                        if !list.iter().any(|known| *known == word.value) {
                            list.push(word.value.as_str().into());
                        }
                    }
                }
                match (word.implies.as_str(), Finish::called(&word.implies)) {
                    ("", _) => {}
                    (_, Some(finish)) => {
                        self.printing.finish.get_or_insert(finish);
                    }
                    (edition, None) => {
                        self.printing.edition.get_or_insert(edition.into());
                    }
                }
            }
            Value::Word(Tag::Rarity(number)) => {
                let word = &dictionary.rarities[number as usize];
                self.push(Field::Rarity, word.value.as_str(), at, end, confidence);
                self.parsed.rarity.get_or_insert(word.value.as_str().into());
                if word.value.starts_with("Holo Rare") && self.printing.finish.is_none() {
                    self.printing.finish = Some(Finish::Holo);
                }
            }
            Value::Word(Tag::Language(number)) => self.push(
                Field::Language,
                dictionary.languages[number as usize].as_str(),
                at,
                end,
                confidence,
            ),
            Value::Word(Tag::Kind(number)) => {
                self.push(
                    Field::Kind,
                    dictionary.kinds[number as usize].0.as_str(),
                    at,
                    end,
                    confidence,
                );
                // `2枚セット`, `Lot of 4`
                let count: String = self
                    .found
                    .context
                    .line
                    .text(at as usize, end as usize)
                    .chars()
                    .filter(char::is_ascii_digit)
                    .collect();
                if let (Ok(count), None) = (count.parse::<u32>(), self.parsed.quantity) {
                    self.parsed.quantity = Some(count);
                }
            }
            Value::Word(Tag::Sealed(number)) => self.push(
                Field::Kind,
                dictionary.sealed[number as usize].as_str(),
                at,
                end,
                confidence,
            ),
            Value::Word(Tag::Game(number)) => self.push(
                Field::Game,
                dictionary.games[number as usize].0.as_str(),
                at,
                end,
                confidence,
            ),
            Value::Word(Tag::Affix(bit)) => self.push(
                Field::Name,
                dictionary.affixes[bit as usize].name.as_str(),
                at,
                end,
                confidence,
            ),
            Value::Word(Tag::Term(number)) => self.push(
                Field::Origin,
                dictionary.terms[number as usize].as_str(),
                at,
                end,
                confidence,
            ),
            Value::Word(_) => {
                self.push(proposal.field, proposal.field.as_str(), at, end, confidence)
            }
            Value::Count(count) => {
                self.push(proposal.field, count.to_string(), at, end, confidence);
                match proposal.field {
                    Field::Year => {
                        self.parsed.year.get_or_insert(count as u16);
                    }
                    Field::Quantity => {
                        self.parsed.quantity.get_or_insert(count);
                    }
                    _ => {}
                }
            }
            Value::Grade(number) if proposal.field == Field::Grade => {
                self.grade(number, confidence)
            }
            Value::Grade(_) => self.push(Field::Wish, "wish", at, end, confidence),
            Value::Text => self.push(proposal.field, proposal.field.as_str(), at, end, confidence),
            Value::Hit(_) if matches!(proposal.field, Field::Origin | Field::Illustrator) => {
                let text = self
                    .found
                    .context
                    .line
                    .text(at as usize, end as usize)
                    .to_owned();
                self.push(proposal.field, text, at, end, confidence);
            }
            Value::Hit(_) | Value::Number(_) => {}
        }
    }

    fn grade(&mut self, number: u16, confidence: f32) {
        let dictionary = self.found.reference.dictionary;
        let reading = self.found.grades[number as usize];
        let grader = &dictionary.graders[reading.grader as usize];
        let mut grade = Grade {
            grader: grader.name.as_str().into(),
            grader_code: GraderCode::called(&grader.code),
            value: reading.value,
            autograph: reading.autograph,
            ..Grade::default()
        };
        let text = |(at, end): (u32, u32)| {
            self.found
                .context
                .line
                .text(at as usize, end as usize)
                .to_owned()
        };
        self.push(
            Field::Grader,
            grader.name.as_str(),
            reading.grader_at.0,
            reading.grader_at.1,
            confidence,
        );
        if let Some(value) = reading.value.filter(|_| reading.value_at.1 > 0) {
            self.push(
                Field::Grade,
                value.to_string(),
                reading.value_at.0,
                reading.value_at.1,
                confidence,
            );
        }
        if let Some(label) = reading.label {
            let name = dictionary.labels[label as usize].name.as_str();
            self.push(
                Field::Label,
                name,
                reading.label_at.0,
                reading.label_at.1,
                confidence,
            );
            grade.label = Some(name.into());
        }
        if let Some(qualifier) = reading.qualifier {
            self.push(
                Field::Qualifier,
                qualifier,
                reading.qualifier_at.0,
                reading.qualifier_at.1,
                confidence,
            );
            grade.qualifier = Some(qualifier.into());
        }
        if let Some(autograph) = reading.autograph {
            self.push(
                Field::Autograph,
                autograph.to_string(),
                reading.autograph_at.0,
                reading.autograph_at.1,
                confidence,
            );
        }
        if reading.cert_at.1 > 0 {
            let cert = text(reading.cert_at);
            self.push(
                Field::CertNumber,
                cert.clone(),
                reading.cert_at.0,
                reading.cert_at.1,
                confidence,
            );
            grade.cert_number = Some(cert.into());
        }
        self.parsed.grade = Some(grade);
    }

    fn top(&self) -> Option<&CardRecord> {
        let best = self.found.ranked.first().filter(|r| r.probability > 0.3)?;
        self.found.reference.catalogue.card_record(best.card)
    }

    /// The name: the card's own where the words say all of it, else what they say.
    fn name(&mut self, chosen: &[Proposal]) {
        let catalogue = self.found.reference.catalogue;
        let dictionary = self.found.reference.dictionary;
        let card_text = self
            .top()
            .map_or("", |record| catalogue.string(record.text));
        let top = self.top().and_then(|record| {
            catalogue
                .name_record(record)
                .map(|name| (record.name.get(), name))
        });
        let mut marks = Marks::default();
        for proposal in self.found.proposals {
            if let Value::Word(Tag::Affix(bit)) = proposal.value
                && (proposal.chosen || also_rarity(chosen, proposal))
            {
                marks = marks.with(bit);
            }
        }
        let mut best: Option<(f32, Cow<'t, str>)> = None;
        for proposal in chosen.iter().filter(|p| p.field == Field::Name) {
            let Value::Hit(at) = proposal.value else {
                continue;
            };
            let hit = &self.found.hits[at as usize];
            let mut value: Option<(f32, Cow<'t, str>)> = None;
            for entry in catalogue.entries(hit.place) {
                let (core, own, name) = match entry.kind() {
                    EntryKind::Name => {
                        let Some(record) = catalogue.names.get(entry.id() as usize) else {
                            continue;
                        };
                        (
                            record.core.get(),
                            record.marks(),
                            Some((entry.id(), record)),
                        )
                    }
                    EntryKind::Core => (entry.id(), Marks::default(), None),
                    EntryKind::Card => {
                        let Some(name) = catalogue
                            .card_record(entry.id())
                            .and_then(|c| catalogue.name_record(c))
                        else {
                            continue;
                        };
                        (name.core.get(), name.marks(), Some((u32::MAX, name)))
                    }
                    EntryKind::Set | EntryKind::Word | EntryKind::Artist => continue,
                };
                let all = own.union(marks);
                let (worth, text) = match (top, name) {
                    (Some((id, _)), Some((own_id, _))) if id == own_id => (6.0, card_text.into()),
                    (Some((_, record)), _)
                        if record.core.get() == core
                            && record.marks() == all
                            && record.rest.get() == 0 =>
                    {
                        (5.0, card_text.into())
                    }
                    (_, Some((_, record))) => {
                        let ours = top.is_some_and(|(_, t)| t.core.get() == core);
                        (
                            if ours { 3.0 } else { 1.0 } - own.count() as f32 * 0.1,
                            catalogue.string(record.text).into(),
                        )
                    }
                    (_, None) => {
                        let ours = top.is_some_and(|(_, t)| t.core.get() == core);
                        let text = catalogue
                            .cores
                            .get(core as usize)
                            .map_or("", |c| catalogue.string(c.text));
                        (
                            if ours { 3.2 } else { 1.2 },
                            decorated(dictionary, text, marks).into(),
                        )
                    }
                };
                if value.as_ref().is_none_or(|(w, _)| worth > *w) {
                    value = Some((worth, text));
                }
            }
            let Some((worth, text)) = value else { continue };
            let confidence = self.confidence(proposal);
            self.push(Field::Name, text.clone(), hit.at, hit.end, confidence);
            let worth =
                worth + if hit.species { 2.0 } else { 0.0 } + (hit.end - hit.at) as f32 * 0.01;
            if best.as_ref().is_none_or(|(w, _)| worth > *w) {
                best = Some((worth, text));
            }
        }
        self.parsed.name = best.map(|(_, text)| text);
        if self.parsed.name.is_none() && top.is_some() {
            // a pair named in parts, or a misspelling that only the search found
            let evidence = self.found.evidence.of(0);
            if evidence.iter().any(|(f, _)| {
                matches!(
                    f,
                    Feature::NameAgrees | Feature::NameFuzzy | Feature::NicknameCard
                )
            }) {
                self.parsed.name = Some(card_text.into());
            }
        }
    }

    /// The number: the one that the best card agrees with, else the best shape.
    fn number(&mut self, chosen: &[Proposal]) {
        let catalogue = self.found.reference.catalogue;
        let text = self.found.context.normalised.text();
        let top = self
            .top()
            .map(|r| (r.number.get(), r.flags.get() & card_flag::UNPRINTED != 0));
        let mut best: Option<(i32, usize)> = None;
        for proposal in chosen {
            let Value::Number(at) = proposal.value else {
                continue;
            };
            let reading = &self.found.numbers[at as usize];
            let agrees =
                top.is_some_and(|(number, _)| catalogue.number(reading.number) == Some(number));
            let unprinted = top.is_some_and(|(_, unprinted)| unprinted);
            if reading.kind == NumberKind::Dex && (unprinted || top.is_none()) {
                self.push(
                    Field::DexNumber,
                    reading.digits.to_string(),
                    reading.at,
                    reading.end,
                    0.9,
                );
                continue;
            }
            let worth = i32::from(agrees) * 4
                + match reading.kind {
                    NumberKind::Fraction => 3,
                    NumberKind::Hash | NumberKind::Prefixed => 2,
                    NumberKind::Dex => 1,
                    NumberKind::Bare | NumberKind::Total => 0,
                };
            if best.is_none_or(|(w, _)| worth > w) {
                best = Some((worth, at as usize));
            }
            let confidence = self.confidence(proposal);
            let value = text
                .get(reading.number_at.0 as usize..reading.number_at.1 as usize)
                .unwrap_or("")
                .to_uppercase();
            let value = if reading.scanned {
                unscanned(&value)
            } else {
                value
            };
            self.push(Field::Number, value, reading.at, reading.end, confidence);
        }
        if let Some((_, at)) = best {
            let reading = &self.found.numbers[at];
            let slice = |(from, to): (u32, u32)| {
                let part = text.get(from as usize..to as usize).unwrap_or("").trim();
                let mut written = String::with_capacity(part.len());
                part.chars()
                    .filter(|c| *c != ' ')
                    .for_each(|c| written.extend(c.to_uppercase()));
                if reading.scanned {
                    unscanned(&written)
                } else {
                    written
                }
            };
            self.parsed.number = Some(slice(reading.number_at))
                .filter(|n| !n.is_empty())
                .map(Cow::from);
            self.parsed.total = Some(slice(reading.total_at))
                .filter(|t| !t.is_empty())
                .map(Cow::from);
        }
    }

    /// The set that the words name: the best card's where it is among them.
    fn set(&mut self, chosen: &[Proposal]) {
        let catalogue = self.found.reference.catalogue;
        let top = self.top().map(|r| r.set.get());
        let mut best: Option<(i32, SetReading<'t>)> = None;
        for proposal in chosen.iter().filter(|p| p.field == Field::Set) {
            let Value::Hit(at) = proposal.value else {
                continue;
            };
            let hit = &self.found.hits[at as usize];
            let mut sets: Vec<(u32, u8)> = catalogue
                .entries(hit.place)
                .filter(|e| e.kind() == EntryKind::Set)
                .map(|e| (e.id(), e.quality()))
                .collect();
            // the best card's set first, then the better kind of alias
            sets.sort_by_key(|&(set, kind)| (Some(set) != top, kind, set));
            let Some(&(first, kind)) = sets.first() else {
                continue;
            };
            let Some(record) = catalogue.sets.get(first as usize) else {
                continue;
            };
            let ours = Some(first) == top;
            let (name, id) = (catalogue.string(record.name), catalogue.string(record.id));
            let confidence = self.confidence(proposal);
            self.push(Field::Set, id, hit.at, hit.end, confidence);
            let worth = i32::from(ours) * 100 - i32::from(kind) * 10 + (hit.end - hit.at) as i32;
            if best.as_ref().is_none_or(|(w, _)| worth > *w)
                && (kind < 4 && (ours || sets.iter().filter(|s| s.1 < 4).count() < 8)
                    || sets.len() == 1)
            {
                // the other sets of a series are no reading of its name
                let family = AliasKind::Family as u8;
                let alternatives = sets[1..]
                    .iter()
                    .filter(|s| kind == family || s.1 < family)
                    .take(8)
                    .filter_map(|&(s, _)| catalogue.sets.get(s as usize))
                    .map(|s| catalogue.string(s.id));
                best = Some((
                    worth,
                    SetReading {
                        name: name.into(),
                        id: id.into(),
                        alternatives: alternatives.map(Cow::from).collect(),
                    },
                ));
            }
        }
        // `098/SV-P`: the total is the code of the set
        let letters = |text: &str| !text.is_empty() && !text.bytes().any(|b| b.is_ascii_digit());
        let by_total = |record: &CardRecord| {
            self.parsed.total.as_deref().is_some_and(|t| {
                (t.contains('-') || letters(t))
                    && catalogue.total_text(record).eq_ignore_ascii_case(t)
            })
        };
        let by_number = |record: &CardRecord, set: &SetRecord| {
            let number = self.parsed.number.as_deref().unwrap_or("");
            set.flags & set_flag::PROMO != 0
                && number
                    .bytes()
                    .next()
                    .is_some_and(|b| b.is_ascii_alphabetic())
                && catalogue.number(pack_number(number)) == Some(record.number.get())
        };
        if let Some(record) = self.top()
            && let Some(set) = catalogue.set_record(record)
            && (by_total(record) || by_number(record, set))
        {
            let (name, id) = (catalogue.string(set.name), catalogue.string(set.id));
            best = Some((
                0,
                SetReading {
                    name: name.into(),
                    id: id.into(),
                    alternatives: Vec::new(),
                },
            ));
        }
        self.parsed.set = best.map(|(_, set)| set);
    }

    /// The language: stated, or carried by the script.
    fn language(&mut self, chosen: &[Proposal]) {
        let dictionary = self.found.reference.dictionary;
        let stated = chosen.iter().find_map(|p| match p.value {
            Value::Word(Tag::Language(at)) if !p.weak => {
                Some(dictionary.languages[at as usize].as_str())
            }
            _ => None,
        });
        let inside = || {
            self.found.proposals.iter().find_map(|p| match p.value {
                Value::Word(Tag::Language(at)) if !p.weak && !p.chosen => {
                    let hit = chosen.iter().any(|c| {
                        matches!(c.value, Value::Hit(_)) && c.at <= p.at && p.end <= c.end
                    });
                    hit.then_some(dictionary.languages[at as usize].as_str())
                }
                _ => None,
            })
        };
        let stated = stated.or_else(inside);
        let context = &self.found.context;
        let language = match stated {
            Some(language) if language.contains("chinese") => Some("chinese"),
            Some(language) => Some(language),
            None if context.kana => Some("japanese"),
            None if context.hangul => Some("korean"),
            None if context.japanese && names_in_chinese(context, self.found.hits, chosen) => {
                Some("chinese")
            }
            None if context.japanese => Some("japanese"),
            None => None,
        };
        self.parsed.language = language.map(Cow::from);
    }

    /// What is left: alternatives, words unread, and the order of the spans.
    fn rest(mut self, chosen: &[Proposal]) -> Parsed<'t> {
        // `McDonald's Collection 2021` names a set and a year
        let inside = |p: &&Proposal| {
            p.field == Field::Year
                && chosen
                    .iter()
                    .any(|c| c.field == Field::Set && c.at <= p.at && p.end <= c.end)
        };
        if let (
            None,
            Some(Proposal {
                value: Value::Count(year),
                ..
            }),
        ) = (self.parsed.year, self.found.proposals.iter().find(inside))
        {
            self.parsed.year = Some(*year as u16);
        }
        if self.parsed.grade.is_some() {
            self.parsed.condition = None;
        }
        if !self.printing.is_empty() {
            self.parsed.printing = Some(std::mem::take(&mut self.printing));
        }
        let mut losers: Vec<&Proposal> = self
            .found
            .proposals
            .iter()
            .filter(|p| {
                !p.chosen && p.weight > 0.5 && !matches!(p.field, Field::Noise | Field::Origin)
            })
            .collect();
        losers.retain(|p| {
            !overlapping(chosen, p.at, p.end)
                .iter()
                .any(|c| c.field == p.field && c.at <= p.at && p.end <= c.end)
        });
        losers.sort_by_key(|p| (p.at, p.end, p.field));
        losers.dedup_by_key(|p| (p.at, p.end, p.field));
        let alternatives = losers.into_iter().take(MAX_ALTERNATIVES).map(|p| {
            let rival = overlapping(chosen, p.at, p.end)
                .iter()
                .map(|c| c.weight)
                .fold(0.0f32, f32::max);
            let confidence = squash(p.weight - rival) as f32;
            let value = self.value_of(p);
            self.reading(p.field, value, p.at, p.end, rounded(confidence))
        });
        let alternatives: Vec<Reading> = alternatives.collect();
        self.parsed.alternatives = alternatives;
        self.parsed
            .spans
            .sort_by_key(|s| (s.span.start, s.span.end, s.field));
        let unread = self.found.unread.iter().map(|&span| Unread {
            span,
            text: span.text(self.found.title).into(),
        });
        self.parsed.unread = unread.collect();
        self.parsed
    }

    fn value_of(&self, proposal: &Proposal) -> Cow<'t, str> {
        let catalogue = self.found.reference.catalogue;
        let dictionary = self.found.reference.dictionary;
        match proposal.value {
            Value::Hit(at) => {
                let entry = catalogue
                    .entries(self.found.hits[at as usize].place)
                    .find(|e| (e.kind() == EntryKind::Set) == (proposal.field == Field::Set));
                let text = entry.and_then(|e| match e.kind() {
                    EntryKind::Set => catalogue
                        .sets
                        .get(e.id() as usize)
                        .map(|s| catalogue.string(s.id)),
                    EntryKind::Name => catalogue
                        .names
                        .get(e.id() as usize)
                        .map(|n| catalogue.string(n.text)),
                    EntryKind::Core => catalogue
                        .cores
                        .get(e.id() as usize)
                        .map(|c| catalogue.string(c.text)),
                    EntryKind::Card => catalogue
                        .card_record(e.id())
                        .map(|c| catalogue.string(c.id)),
                    EntryKind::Word | EntryKind::Artist => None,
                });
                text.unwrap_or("").into()
            }
            Value::Word(tag) => match tag {
                Tag::Condition(n) => dictionary.conditions[n as usize].as_str().into(),
                Tag::Printing(n) => dictionary.printings[n as usize].value.as_str().into(),
                Tag::Rarity(n) => dictionary.rarities[n as usize].value.as_str().into(),
                Tag::Language(n) => dictionary.languages[n as usize].as_str().into(),
                Tag::Kind(n) => dictionary.kinds[n as usize].0.as_str().into(),
                Tag::Sealed(n) => dictionary.sealed[n as usize].as_str().into(),
                Tag::Game(n) => dictionary.games[n as usize].0.as_str().into(),
                Tag::Affix(n) => dictionary.affixes[n as usize].name.as_str().into(),
                Tag::Term(n) => dictionary.terms[n as usize].as_str().into(),
                Tag::Grader(n) => dictionary.graders[n as usize].name.as_str().into(),
                Tag::Label(_) | Tag::Phrase(_) | Tag::Noise => "".into(),
            },
            Value::Number(at) => {
                let (from, to) = self.found.numbers[at as usize].number_at;
                self.found
                    .context
                    .normalised
                    .text()
                    .get(from as usize..to as usize)
                    .unwrap_or("")
                    .to_uppercase()
                    .into()
            }
            Value::Grade(at) => self.found.grades[at as usize]
                .value
                .map_or("".into(), |v: GradeValue| v.to_string().into()),
            Value::Count(count) => count.to_string().into(),
            Value::Text => proposal.field.as_str().into(),
        }
    }
}

/// A confidence to two digits.
fn rounded(confidence: f32) -> f32 {
    (confidence * 100.0).round() / 100.0
}

/// A core's name with the marks that the title states.
fn decorated(dictionary: &Dictionary, core: &str, marks: Marks) -> String {
    let mut out = String::new();
    for bit in marks.bits() {
        if let Some(affix) = dictionary.affixes.get(bit as usize).filter(|a| a.prefix) {
            out.push_str(&affix.name);
            out.push(' ');
        }
    }
    out.push_str(core);
    for bit in marks.bits() {
        if let Some(affix) = dictionary.affixes.get(bit as usize).filter(|a| !a.prefix) {
            out.push(' ');
            out.push_str(match affix.name.as_str() {
                "Gold Star" => "☆",
                "Prism Star" => "◇",
                name => name,
            });
        }
    }
    out
}
