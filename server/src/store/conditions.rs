//! [`Conditions`]: what a statement asks for, put together from what a caller gave.

use super::sql::Query;

/// The value of a place.
#[derive(Clone, Debug)]
enum Value {
    Number(i64),
    Text(String),
}

/// Conditions with the values of their places. Each is added where there is a value for it, which
/// stands at each `@` of it and is bound, never written into the statement.
#[derive(Clone, Debug)]
pub(super) struct Conditions {
    /// The statement so far.
    pub(super) text: String,
    values: Vec<Value>,
}

impl Conditions {
    /// `from` ends with a condition.
    pub(super) fn new(from: &str) -> Self {
        Self {
            text: from.to_owned(),
            values: Vec::new(),
        }
    }

    /// Adds a condition on a number.
    pub(super) fn add(&mut self, condition: &str, value: Option<i64>) {
        self.and(condition, value.map(Value::Number));
    }

    /// Adds that a column has this number, or none.
    pub(super) fn add_same(&mut self, column: &str, number: Option<i64>) {
        match number {
            Some(_) => self.add(&format!("{column} = @"), number),
            None => self.add_plain(&format!("{column} IS NULL")),
        }
    }

    /// Adds a condition on a text.
    pub(super) fn add_text(&mut self, condition: &str, value: Option<String>) {
        self.and(condition, value.map(Value::Text));
    }

    /// Adds a condition on texts, which have their places at `@`.
    pub(super) fn add_texts(&mut self, condition: &str, texts: &[&str]) {
        let first = self.values.len() + 1;
        let numbers = (first..).take(texts.len());
        let places: Vec<String> = numbers.map(|at| format!("${at}")).collect();
        self.add_plain(&condition.replace('@', &places.join(", ")));
        let texts = texts.iter().map(|text| (*text).to_owned());
        self.values.extend(texts.map(Value::Text));
    }

    /// Adds that something is of one of these games, at `@` of the condition.
    pub(super) fn add_games(&mut self, condition: &str, games: Option<&[String]>) {
        if let Some(games) = games {
            let games: Vec<&str> = games.iter().map(String::as_str).collect();
            self.add_texts(condition, &games);
        }
    }

    /// Adds a condition on a pattern of LIKE, whose escape is `!`. `Some(None)` is for words of which
    /// nothing is left to compare: no text has them.
    pub(super) fn add_pattern(&mut self, condition: &str, pattern: Option<Option<String>>) {
        match pattern {
            None => {}
            Some(None) => self.add_never(),
            Some(pattern) => self.add_text(condition, pattern),
        }
    }

    /// Adds a condition without a value.
    pub(super) fn add_plain(&mut self, condition: &str) {
        self.text.push_str(" AND ");
        self.text.push_str(condition);
    }

    /// Adds that nothing is asked for.
    pub(super) fn add_never(&mut self) {
        self.add_plain("FALSE");
    }

    fn and(&mut self, condition: &str, value: Option<Value>) {
        let Some(value) = value else { return };
        self.values.push(value);
        let place = format!("${}", self.values.len());
        self.add_plain(&condition.replace('@', &place));
    }

    /// What cuts a page out of the rows: its limit and its offset are bound after these conditions.
    pub(super) fn page(&self) -> String {
        let places = self.values.len();
        format!("LIMIT ${} OFFSET ${}", places + 1, places + 2)
    }

    /// Gives the places their values.
    pub(super) fn bind<'c>(&self, query: Query<'c>) -> Query<'c> {
        self.values.iter().fold(query, |query, value| match value {
            Value::Number(number) => query.bind(*number),
            Value::Text(text) => query.bind(text.as_str()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Conditions;

    #[test]
    fn each_value_has_a_place_of_its_own() {
        let mut all = Conditions::new("FROM cards c WHERE TRUE");
        all.add("c.set_key = @", Some(7));
        all.add("c.language = @", None);
        all.add_games("c.game IN (@)", Some(&["a".to_owned(), "b".to_owned()]));
        let pattern = Some("%pokemon%".to_owned());
        all.add_pattern("(c.a LIKE @ OR c.b LIKE @)", Some(pattern));
        all.add_pattern("c.a LIKE @", None);
        assert_eq!(
            all.text,
            "FROM cards c WHERE TRUE AND c.set_key = $1 AND c.game IN ($2, $3) \
             AND (c.a LIKE $4 OR c.b LIKE $4)"
        );
        assert_eq!(all.page(), "LIMIT $5 OFFSET $6");
        all.add_pattern("c.a LIKE @", Some(None));
        assert!(all.text.ends_with(" AND FALSE"), "{}", all.text);
        assert_eq!(all.page(), "LIMIT $5 OFFSET $6");
    }
}
