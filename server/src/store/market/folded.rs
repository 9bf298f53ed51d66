//! Texts as filters compare them. SQLite knows no capital letters but those of ASCII, and PostgreSQL
//! those of its locale, so columns hold what [`folded`] makes of a text, and statements compare with
//! that alone.

use super::load::Loader;
use crate::store::{Store, StoreError};

/// Letters that names are written with and people are not, and what is typed instead: accents, and
/// apostrophes of either form.
const FOLDED: [(&str, &str); 13] = [
    ("\u{2019}", ""),
    ("'", ""),
    ("é", "e"),
    ("è", "e"),
    ("ê", "e"),
    ("à", "a"),
    ("â", "a"),
    ("ä", "a"),
    ("ö", "o"),
    ("ô", "o"),
    ("ü", "u"),
    ("ñ", "n"),
    ("ç", "c"),
];

/// A text in small letters, without accents and apostrophes.
pub(crate) fn folded(text: &str) -> String {
    let lower = text.to_lowercase();
    FOLDED
        .iter()
        .fold(lower, |text, (from, to)| text.replace(from, to))
}

/// A pattern of LIKE, whose escape is `!`, for folded texts in which these words stand; none where
/// nothing of them is compared.
pub(super) fn containing(words: &str) -> Option<String> {
    let words = folded(words);
    (!words.is_empty()).then(|| format!("%{}%", escaped(&words)))
}

/// A word in which LIKE reads nothing special, with `!` before what it would.
pub(super) fn escaped(word: &str) -> String {
    let mut text = String::with_capacity(word.len());
    for letter in word.chars() {
        if matches!(letter, '%' | '_' | '!') {
            text.push('!');
        }
        text.push(letter);
    }
    text
}

/// The fact that a migration states where it adds columns for folded texts: rows of older builds
/// lack theirs.
const LACKING: &str = "rows lack folded texts";

/// Tables with few different texts, the text, and the column for what it is folded to.
const REPEATED: [[&str; 3]; 4] = [
    ["cards", "rarity", "folded_rarity"],
    ["undo_cards", "rarity", "folded_rarity"],
    ["sealed", "product_type", "folded_type"],
    ["undo_sealed", "product_type", "folded_type"],
];

impl Store {
    /// Folds the texts of rows that were written before there were columns for it. Of several
    /// processes that start at once, one does it.
    pub(in crate::store) async fn fold_older_rows(&self) -> Result<(), StoreError> {
        if self.fact(LACKING).await?.is_none() {
            return Ok(());
        }
        let mut loader = self.load().await?;
        if loader.fact(LACKING).await?.is_none() {
            return loader.rollback().await;
        }
        for [table, text, column] in REPEATED {
            loader.fold_repeated(table, text, column).await?;
        }
        loader.fold_titles().await?;
        loader
            .transaction
            .query("DELETE FROM facts WHERE name = $1")
            .bind(LACKING)
            .execute()
            .await?;
        loader.commit().await
    }
}

impl Loader {
    /// Gives the rows of a table their folded texts, each text once.
    async fn fold_repeated(
        &mut self,
        table: &str,
        text: &str,
        column: &str,
    ) -> Result<(), StoreError> {
        let lacking = format!("{column} IS NULL AND {text} IS NOT NULL");
        let sql = format!("SELECT DISTINCT {text} AS text FROM {table} WHERE {lacking}");
        let texts: Vec<String> = self
            .transaction
            .query_many(sql)
            .all(|row| row.get("text"))
            .await?;
        let update = format!("UPDATE {table} SET {column} = v.column2 FROM (VALUES");
        let of = format!(") v WHERE {table}.{text} = v.column1 AND {lacking}");
        self.put(&texts, 2, [&update, &of], |query, text| {
            query.bind(text.as_str()).bind(folded(text))
        })
        .await?;
        Ok(())
    }

    /// Gives listings under review their folded titles.
    async fn fold_titles(&mut self) -> Result<(), StoreError> {
        let titles: Vec<(i64, String)> = self
            .transaction
            .query("SELECT id, title FROM review WHERE folded_title IS NULL")
            .all(|row| Ok((row.get("id")?, row.get("title")?)))
            .await?;
        self.put(
            &titles,
            2,
            [
                "UPDATE review SET folded_title = v.column2 FROM (VALUES",
                ") v WHERE review.id = v.column1",
            ],
            |query, (id, title)| query.bind(*id).bind(folded(title)),
        )
        .await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{containing, folded};

    #[test]
    fn capitals_accents_and_apostrophes_are_folded() {
        assert_eq!(folded("POKÉMON"), "pokemon");
        assert_eq!(folded("Farfetch’d"), folded("FARFETCH'D"));
        assert_eq!(folded("Ōkami Ω"), "ōkami ω");
    }

    #[test]
    fn pattern_of_nothing_is_none() {
        assert_eq!(containing("Mint_10%").as_deref(), Some("%mint!_10!%%"));
        assert_eq!(containing("’'"), None);
    }
}
