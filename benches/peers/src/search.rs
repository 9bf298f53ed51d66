//! Full-text search over the cards with tantivy: an index in memory, BM25, and the best query for a
//! title that we could write.

use crate::{Failure, TOP, Title};
use serde::Deserialize;
use std::collections::BTreeMap;
use tantivy::collector::TopDocs;
use tantivy::query::{
    BooleanQuery, BoostQuery, DisjunctionMaxQuery, FuzzyTermQuery, Occur, Query, TermQuery,
};
use tantivy::schema::{FAST, Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{TextAnalyzer, WhitespaceTokenizer};
use tantivy::{Index, Searcher, TantivyDocument, Term};

/// A card as `neutral.py` writes it: tokens by field.
#[derive(Deserialize)]
pub(crate) struct Card {
    /// The catalogue's id.
    pub(crate) id: String,
    #[serde(flatten)]
    fields: BTreeMap<String, serde_json::Value>,
}

/// Fields with their boosts, and whether a longer field counts for less; found by hand on `dev`.
const BOOSTS: [(&str, f32, bool); 14] = [
    ("name", 1.5, true),
    ("native", 2.0, true),
    ("foreign", 0.75, false),
    ("set", 0.8, false),
    ("code", 1.0, false),
    ("alias", 0.6, false),
    ("rarity", 0.25, false),
    ("language", 1.35, false),
    ("year", 1.2, false),
    ("number", 2.0, false),
    ("pair", 2.0, false),
    ("dex", 0.5, false),
    ("product", 0.4, false),
    ("printing", 0.4, false),
];

/// The fields that a word of a title is looked up in. It counts in the field that scores it
/// highest, and a little in the others.
const WORD_FIELDS: [&str; 9] = [
    "name", "native", "foreign", "set", "code", "alias", "rarity", "product", "printing",
];

/// The fields that a number is looked up in: some sets are called 151.
const NUMBER_FIELDS: [&str; 5] = ["number", "code", "set", "alias", "native"];

/// The share of a word's score in the other fields that is added.
const TIE_BREAKER: f32 = 0.1;

/// From this length on, a word that no name has is looked up within one edit.
const FUZZY_LETTERS: usize = 5;

/// The weight of a fuzzy term, which has no BM25 score.
const FUZZY_BOOST: f32 = 6.0;

/// The index.
pub(crate) struct Search {
    searcher: Searcher,
    fields: BTreeMap<String, (Field, f32)>,
}

impl Search {
    /// Indexes the cards, in memory. `boosts` (`name=3,set=1`) replaces those above.
    pub(crate) fn open(cards: &[Card], boosts: &str) -> Result<Self, Failure> {
        let mut schema = Schema::builder();
        let mut fields = BTreeMap::new();
        for (name, boost, norms) in BOOSTS {
            let indexing = TextFieldIndexing::default()
                .set_tokenizer("tokens")
                .set_index_option(IndexRecordOption::Basic)
                .set_fieldnorms(norms);
            let field =
                schema.add_text_field(name, TextOptions::default().set_indexing_options(indexing));
            fields.insert(name.to_owned(), (field, boost));
        }
        for pair in boosts.split(',').filter(|pair| !pair.is_empty()) {
            let (name, boost) = pair
                .split_once('=')
                .ok_or("a boost is written FIELD=NUMBER")?;
            fields.get_mut(name).ok_or("no such field")?.1 = boost.parse()?;
        }
        let at = schema.add_u64_field("at", FAST);
        let index = Index::create_in_ram(schema.build());
        index
            .tokenizers()
            .register("tokens", TextAnalyzer::from(WhitespaceTokenizer::default()));
        // one thread, so that cards keep their order and ties are settled alike in every run
        let mut writer = index.writer_with_num_threads::<TantivyDocument>(1, 256 << 20)?;
        for (number, card) in cards.iter().enumerate() {
            let mut document = TantivyDocument::default();
            document.add_u64(at, number as u64);
            for (name, (field, _)) in &fields {
                let tokens: Vec<&str> = card.fields[name]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(|token| token.as_str())
                    .collect();
                document.add_text(*field, tokens.join(" "));
            }
            writer.add_document(document)?;
        }
        writer.commit()?;
        writer.wait_merging_threads()?;
        Ok(Self {
            searcher: index.reader()?.searcher(),
            fields,
        })
    }

    /// The best cards for a title, with their scores and places among the cards.
    pub(crate) fn find(&self, title: &Title) -> Result<Vec<(f32, usize)>, Failure> {
        let mut clauses = Vec::new();
        for word in &title.words {
            clauses.push(self.anywhere(word, &WORD_FIELDS));
            clauses.extend(self.misspelt(word)?);
        }
        clauses.extend(
            title
                .numbers
                .iter()
                .map(|number| self.anywhere(number, &NUMBER_FIELDS)),
        );
        for (field, values) in [
            ("pair", &title.pairs),
            ("year", &title.years),
            ("dex", &title.dex),
            ("language", &title.languages),
        ] {
            clauses.extend(values.iter().map(|value| self.term(field, value)));
        }
        let query = BooleanQuery::new(
            clauses
                .into_iter()
                .map(|clause| (Occur::Should, clause))
                .collect(),
        );
        let found = self
            .searcher
            .search(&query, &TopDocs::with_limit(TOP).order_by_score())?;
        found
            .into_iter()
            .map(|(score, address)| {
                let column = self
                    .searcher
                    .segment_reader(address.segment_ord)
                    .fast_fields()
                    .u64("at")?;
                let at = column
                    .first(address.doc_id)
                    .ok_or("a document without its place")?;
                Ok((score, usize::try_from(at)?))
            })
            .collect()
    }

    fn term(&self, field: &str, text: &str) -> Box<dyn Query> {
        let (field, boost) = self.fields[field];
        let term = TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::Basic);
        Box::new(BoostQuery::new(Box::new(term), boost))
    }

    /// The text in whichever of the fields gives it most.
    fn anywhere(&self, text: &str, fields: &[&str]) -> Box<dyn Query> {
        let terms = fields.iter().map(|field| self.term(field, text)).collect();
        Box::new(DisjunctionMaxQuery::with_tie_breaker(terms, TIE_BREAKER))
    }

    /// A word that is in no English name, within one edit of one.
    fn misspelt(&self, word: &str) -> Result<Option<Box<dyn Query>>, Failure> {
        let (name, _) = self.fields["name"];
        if word.len() < FUZZY_LETTERS || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return Ok(None);
        }
        for field in WORD_FIELDS {
            if self
                .searcher
                .doc_freq(&Term::from_field_text(self.fields[field].0, word))?
                > 0
            {
                return Ok(None);
            }
        }
        let fuzzy = FuzzyTermQuery::new(Term::from_field_text(name, word), 1, true);
        Ok(Some(Box::new(BoostQuery::new(
            Box::new(fuzzy),
            FUZZY_BOOST,
        ))))
    }
}
