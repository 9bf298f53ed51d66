//! Lists that the older version and sealed products ask for, written once for both databases.

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
            add(like, &|at| format!("(LOWER(c.name) LIKE ${at} ESCAPE '!' OR LOWER(c.printed_name) LIKE ${at} ESCAPE '!')"));
        }
        if let Some(set) = &self.set_id {
            add(set.clone(), &|at| format!("c.set_key = (SELECT key FROM sets WHERE id = ${at})"));
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
                format!("c.key IN (SELECT key FROM cards WHERE id = ${at} UNION SELECT card FROM items WHERE marketplace_id = ${at})")
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
