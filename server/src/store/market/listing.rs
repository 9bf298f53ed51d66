//! Which rows lists have, and the lists that the older version and sealed products ask for, written once for both databases.

use super::rows::{CardOrder, CardQuery, PopulationQuery};

/// A condition on numbers, with their places.
struct Conditions {
    text: String,
    values: Vec<i64>,
}

impl Conditions {
    fn new(from: &str, value: i64) -> Self {
        Self {
            text: from.to_owned(),
            values: vec![value],
        }
    }

    /// Adds a condition of which the number stands in the place of `@`.
    fn add(&mut self, condition: &str, value: Option<i64>) {
        let Some(value) = value else { return };
        self.values.push(value);
        self.text.push_str(" AND ");
        self.text
            .push_str(&condition.replace('@', &format!("${}", self.values.len())));
    }
}

impl CardQuery {
    /// The cards of a query as `c`, or where a price is asked for their leading printings as `l`; and what the places stand for.
    pub(super) fn from(&self) -> (String, Vec<i64>) {
        let language = self.language.number();
        if self.order == CardOrder::Catalogue
            && self.min_price.is_none()
            && self.max_price.is_none()
        {
            let mut all = Conditions::new("FROM cards c WHERE c.language = $1", language);
            all.add("c.set_key = @", self.set);
            return (all.text, all.values);
        }
        let cards = if self.set.is_some() || self.order == CardOrder::Catalogue {
            "JOIN cards c ON c.key = l.card "
        } else {
            ""
        };
        let from = format!(
            "FROM items l {cards}WHERE l.place = 0 AND l.card IS NOT NULL AND l.language = $1"
        );
        let mut all = Conditions::new(&from, language);
        all.add("c.set_key = @", self.set);
        all.add("l.market >= @", self.min_price.map(|price| price.0));
        all.add("l.market <= @", self.max_price.map(|price| price.0));
        (all.text, all.values)
    }
}

impl PopulationQuery {
    /// The populations of a query as `p`, and what the places stand for.
    pub(super) fn from(&self) -> (String, Vec<i64>) {
        let mut all = Conditions::new(
            "FROM population p WHERE p.language = $1",
            self.language.number(),
        );
        all.add(
            "p.graders & @ <> 0",
            self.grader.map(crate::market::Grader::bit),
        );
        all.add("p.total >= @", self.min_total);
        all.add(
            "p.gems * 1000000 >= @ * p.total",
            self.min_gem_rate.map(|rate| rate.0),
        );
        (all.text, all.values)
    }
}

/// Which cards the older version lists: those for which all holds that is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedCards {
    /// A part of the name, or of the printed one, without regard to case.
    pub name: Option<String>,
    /// The id of the set.
    pub set_id: Option<String>,
    /// The number as printed, or what stands before its slash.
    pub number: Option<String>,
    /// The card's id, or that of one of its printings.
    pub id: Option<String>,
    /// At most so many.
    pub limit: i64,
    /// After so many.
    pub offset: i64,
}

impl NamedCards {
    /// The conditions, and what their places stand for.
    pub(super) fn conditions(&self) -> (String, Vec<String>) {
        let (mut text, mut values) = ("TRUE".to_owned(), Vec::new());
        let mut add = |value: String, condition: &dyn Fn(usize) -> String| {
            values.push(value);
            text.push_str(" AND ");
            text.push_str(&condition(values.len()));
        };
        if let Some(name) = &self.name {
            let like = format!("%{}%", super::read::escaped(&name.to_lowercase()));
            add(like, &|at| {
                format!(
                    "(LOWER(c.name) LIKE ${at} ESCAPE '!' OR LOWER(c.printed_name) LIKE ${at} ESCAPE '!')"
                )
            });
        }
        if let Some(set) = &self.set_id {
            add(set.clone(), &|at| {
                format!("c.set_key = (SELECT key FROM sets WHERE id = ${at})")
            });
        }
        if let Some(number) = &self.number {
            add(number.clone(), &|at| {
                format!(
                    "(c.number = ${at} OR c.number LIKE REPLACE(REPLACE(REPLACE(${at}, '!', '!!'), '%', '!%'), '_', '!_') || '/%' ESCAPE '!')"
                )
            });
        }
        if let Some(id) = &self.id {
            add(id.clone(), &|at| {
                format!(
                    "c.key IN (SELECT key FROM cards WHERE id = ${at} UNION SELECT card FROM items WHERE marketplace_id = ${at})"
                )
            });
        }
        (text, values)
    }
}

/// The methods of a database that has the pool `read`.
macro_rules! listings {
    ($database:ident) => {
        impl $database {
            pub(in crate::store) async fn named_cards(&self, asked: &NamedCards) -> Result<(i64, Vec<String>), StoreError> {
                let (conditions, values) = asked.conditions();
                let mut count = sqlx::query_as::<_, (i64,)>(AssertSqlSafe(format!("SELECT COUNT(*) FROM cards c WHERE {conditions}")));
                for value in &values {
                    count = count.bind(value);
                }
                let (total,) = count.fetch_one(&self.read).await?;
                let last = values.len();
                let statement = format!(
                    "SELECT c.id FROM cards c WHERE {conditions} ORDER BY c.set_key, c.place LIMIT ${} OFFSET ${}",
                    last + 1,
                    last + 2
                );
                let mut page = sqlx::query_as::<_, (String,)>(AssertSqlSafe(statement));
                for value in &values {
                    page = page.bind(value);
                }
                let rows = page.bind(asked.limit).bind(asked.offset).fetch_all(&self.read).await?;
                Ok((total, rows.into_iter().map(|(id,)| id).collect()))
            }

            pub(in crate::store) async fn plain_sales(
                &self,
                items: &[i64],
                from: i64,
                to: i64,
            ) -> Result<Vec<(i64, i64, i64)>, StoreError> {
                let mut found = Vec::new();
                for items in batches(items, 1) {
                    let statement = format!(
                        "SELECT s.item, s.day, s.price, {} FROM sales s WHERE s.item IN ({}) AND s.grade = '' \
                         AND s.day >= {} AND s.day <= {} ORDER BY s.day DESC, s.key DESC",
                        usd!(),
                        list(items.len(), 1),
                        list(1, items.len() + 1),
                        list(1, items.len() + 2)
                    );
                    let mut query = sqlx::query_as::<_, (i64, i64, i64, Option<i64>)>(AssertSqlSafe(statement));
                    for item in items {
                        query = query.bind(*item);
                    }
                    let rows = query.bind(from).bind(to).fetch_all(&self.read).await?;
                    found.extend(rows.into_iter().filter_map(|(item, day, price, usd)| Some((item, day, Rate(usd?).of(Money(price)).0))));
                }
                Ok(found)
            }
        }
    };
}

pub(super) use listings;
