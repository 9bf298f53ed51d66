//! Runs a statement on either database: [`Pool`], [`Transaction`], [`Query`], and [`Row`], which is
//! read by the names of its columns.
//!
//! A statement is written once, with the places `$1`, `$2`, … that both databases understand. Three
//! things differ, and [`Dialect`] has them: what the larger of two values is called, how the places
//! of thousands of values are written, and the types of a migration.

use super::error::StoreError;
use super::file::OpenFile;
use futures_util::TryStreamExt;
use futures_util::stream::BoxStream;
use sqlx::{
    Arguments, AssertSqlSafe, Database, Decode, Encode, Error, Executor, IntoArguments, Postgres,
    Row as _, SqlSafeStr, SqlStr, Sqlite, Type,
};
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Which of the two databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// A file.
    Sqlite,
    /// A server, which several processes may share.
    Postgres,
}

impl Dialect {
    /// Its name, for logs.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }

    /// A statement that says `LEAST` and `GREATEST`, in the words of this database: SQLite calls
    /// them `MIN` and `MAX`.
    pub(super) fn words(self, statement: &str) -> Arc<str> {
        match self {
            Self::Sqlite => statement
                .replace("LEAST(", "MIN(")
                .replace("GREATEST(", "MAX(")
                .into(),
            Self::Postgres => statement.into(),
        }
    }

    /// A statement with a `?` at each place, as this database reads it fastest. SQLite looks up
    /// each numbered place among all others, which is slow with thousands of them, and takes `?` as
    /// it is; PostgreSQL has numbers only.
    fn numbered(self, statement: String) -> String {
        if self == Self::Sqlite {
            return statement;
        }
        let mut text = String::with_capacity(statement.len() * 3);
        for (at, part) in statement.split('?').enumerate() {
            if at > 0 {
                // writing to a string cannot fail
                let _ = write!(text, "${at}");
            }
            text.push_str(part);
        }
        text
    }
}

/// Connections to one of the two databases.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    connections: Connections,
    errors: Arc<AtomicU64>,
    /// The file of SQLite, without which no statement is run.
    file: Option<Arc<OpenFile>>,
}

#[derive(Clone, Debug)]
enum Connections {
    Sqlite(sqlx::SqlitePool),
    Postgres(sqlx::PgPool),
}

impl Pool {
    /// Connections to a file; statements that fail are counted in `errors`.
    pub(super) fn sqlite(
        pool: sqlx::SqlitePool,
        errors: Arc<AtomicU64>,
        file: Arc<OpenFile>,
    ) -> Self {
        Self {
            connections: Connections::Sqlite(pool),
            errors,
            file: Some(file),
        }
    }

    /// Connections to a server; statements that fail are counted in `errors`.
    pub(super) fn postgres(pool: sqlx::PgPool, errors: Arc<AtomicU64>) -> Self {
        Self {
            connections: Connections::Postgres(pool),
            errors,
            file: None,
        }
    }

    /// That the file is still the one that was opened.
    fn check_file(&self) -> Result<(), Error> {
        self.file.as_ref().map_or(Ok(()), |file| file.check())
    }

    /// Which database it is.
    pub(super) fn dialect(&self) -> Dialect {
        match self.connections {
            Connections::Sqlite(_) => Dialect::Sqlite,
            Connections::Postgres(_) => Dialect::Postgres,
        }
    }

    /// How many statements failed.
    pub(super) fn errors(&self) -> u64 {
        self.errors.load(Ordering::Relaxed)
    }

    /// A statement with numbered places, to be run on one of these connections.
    pub(super) fn query(&self, sql: impl SqlSafeStr) -> Query<'_> {
        let sql = sql.into_sql_str();
        let bound = match &self.connections {
            Connections::Sqlite(pool) => Bound::Sqlite(Statement::new(sql, On::Pool(pool))),
            Connections::Postgres(pool) => Bound::Postgres(Statement::new(sql, On::Pool(pool))),
        };
        Query {
            refused: self.check_file().err(),
            ..Query::new(bound, &self.errors)
        }
    }

    /// A statement with many values, each of them a `?` in its text.
    pub(super) fn query_many(&self, sql: String) -> Query<'_> {
        self.query(AssertSqlSafe(self.dialect().numbered(sql)))
    }

    /// Begins a transaction.
    pub(super) async fn begin(&self) -> Result<Transaction, StoreError> {
        counted(&self.errors, self.check_file())?;
        let begun = match &self.connections {
            Connections::Sqlite(pool) => pool.begin().await.map(Open::Sqlite),
            Connections::Postgres(pool) => pool.begin().await.map(Open::Postgres),
        };
        Ok(Transaction {
            open: counted(&self.errors, begun)?,
            errors: Arc::clone(&self.errors),
            file: self.file.clone(),
        })
    }

    /// Ends all connections.
    pub(super) async fn close(&self) {
        match &self.connections {
            Connections::Sqlite(pool) => pool.close().await,
            Connections::Postgres(pool) => pool.close().await,
        }
    }
}

/// A transaction: kept by [`Transaction::commit`], undone where it is dropped.
#[derive(Debug)]
pub(super) struct Transaction {
    open: Open,
    errors: Arc<AtomicU64>,
    file: Option<Arc<OpenFile>>,
}

#[derive(Debug)]
enum Open {
    Sqlite(sqlx::Transaction<'static, Sqlite>),
    Postgres(sqlx::Transaction<'static, Postgres>),
}

impl Transaction {
    /// A statement with numbered places, to be run in this transaction.
    pub(super) fn query(&mut self, sql: impl SqlSafeStr) -> Query<'_> {
        let sql = sql.into_sql_str();
        let bound = match &mut self.open {
            Open::Sqlite(open) => Bound::Sqlite(Statement::new(sql, On::Connection(&mut **open))),
            Open::Postgres(open) => {
                Bound::Postgres(Statement::new(sql, On::Connection(&mut **open)))
            }
        };
        Query::new(bound, &self.errors)
    }

    /// A statement with many values, each of them a `?` in its text.
    pub(super) fn query_many(&mut self, sql: String) -> Query<'_> {
        let dialect = match self.open {
            Open::Sqlite(_) => Dialect::Sqlite,
            Open::Postgres(_) => Dialect::Postgres,
        };
        self.query(AssertSqlSafe(dialect.numbered(sql)))
    }

    /// What an insertion says that gives values to keys which the database makes itself.
    pub(super) fn overriding(&self) -> &'static str {
        match self.open {
            Open::Sqlite(_) => "",
            Open::Postgres(_) => "OVERRIDING SYSTEM VALUE",
        }
    }

    /// Keeps what was changed.
    pub(super) async fn commit(self) -> Result<(), StoreError> {
        let kept = self.file.as_ref().map_or(Ok(()), |file| file.check());
        counted(&self.errors, kept)?;
        let done = match self.open {
            Open::Sqlite(open) => open.commit().await,
            Open::Postgres(open) => open.commit().await,
        };
        counted(&self.errors, done)
    }

    /// Undoes what was changed.
    pub(super) async fn rollback(self) -> Result<(), StoreError> {
        let done = match self.open {
            Open::Sqlite(open) => open.rollback().await,
            Open::Postgres(open) => open.rollback().await,
        };
        counted(&self.errors, done)
    }
}

/// A statement and the values of its places.
#[must_use = "a statement does nothing until it is run"]
pub(super) struct Query<'c> {
    bound: Bound<'c>,
    /// Why it is not run: the file is gone, or a value cannot be written in the form of the
    /// database.
    refused: Option<Error>,
    errors: &'c AtomicU64,
}

enum Bound<'c> {
    Sqlite(Statement<'c, Sqlite>),
    Postgres(Statement<'c, Postgres>),
}

impl<'c> Query<'c> {
    fn new(bound: Bound<'c>, errors: &'c AtomicU64) -> Self {
        Self {
            bound,
            refused: None,
            errors,
        }
    }

    /// Gives the next place its value.
    pub(super) fn bind<'t, T>(mut self, value: T) -> Self
    where
        T: Encode<'t, Sqlite> + Type<Sqlite> + Encode<'t, Postgres> + Type<Postgres>,
    {
        let added = match &mut self.bound {
            Bound::Sqlite(statement) => statement.arguments.add(value),
            Bound::Postgres(statement) => statement.arguments.add(value),
        };
        if let Err(error) = added {
            self.refused.get_or_insert(Error::Encode(error));
        }
        self
    }

    /// Gives the next places their values.
    pub(super) fn bind_all<'t, T>(self, values: &'t [T]) -> Self
    where
        &'t T: Encode<'t, Sqlite> + Type<Sqlite> + Encode<'t, Postgres> + Type<Postgres>,
    {
        values.iter().fold(self, Self::bind)
    }

    /// Runs the statement and reads its rows, one after another.
    pub(super) async fn each(
        self,
        mut read: impl FnMut(Row<'_>) -> Result<(), Error>,
    ) -> Result<(), StoreError> {
        let errors = self.errors;
        let done = async {
            match self.checked()? {
                Bound::Sqlite(statement) => statement.each(|row| read(Row::Sqlite(row))).await,
                Bound::Postgres(statement) => statement.each(|row| read(Row::Postgres(row))).await,
            }
        };
        counted(errors, done.await)
    }

    /// Runs the statement and reads all its rows.
    pub(super) async fn all<T>(
        self,
        read: impl Fn(Row<'_>) -> Result<T, Error>,
    ) -> Result<Vec<T>, StoreError> {
        let mut found = Vec::new();
        self.each(|row| {
            found.push(read(row)?);
            Ok(())
        })
        .await?;
        Ok(found)
    }

    /// Runs the statement and reads its first row, if there is one.
    pub(super) async fn optional<T>(
        self,
        read: impl FnOnce(Row<'_>) -> Result<T, Error>,
    ) -> Result<Option<T>, StoreError> {
        let errors = self.errors;
        let row = async {
            match self.checked()? {
                Bound::Sqlite(statement) => {
                    let row = statement.optional().await?;
                    row.map(|row| read(Row::Sqlite(&row))).transpose()
                }
                Bound::Postgres(statement) => {
                    let row = statement.optional().await?;
                    row.map(|row| read(Row::Postgres(&row))).transpose()
                }
            }
        };
        counted(errors, row.await)
    }

    /// Runs the statement and reads its first row, which must be there.
    pub(super) async fn one<T>(
        self,
        read: impl FnOnce(Row<'_>) -> Result<T, Error>,
    ) -> Result<T, StoreError> {
        let errors = self.errors;
        let row = self.optional(read).await?;
        counted(errors, row.ok_or(Error::RowNotFound))
    }

    /// Runs the statement; how many rows it changed.
    pub(super) async fn execute(self) -> Result<u64, StoreError> {
        let errors = self.errors;
        let changed = async {
            match self.checked()? {
                Bound::Sqlite(statement) => Ok(statement.execute().await?.rows_affected()),
                Bound::Postgres(statement) => Ok(statement.execute().await?.rows_affected()),
            }
        };
        counted(errors, changed.await)
    }

    fn checked(self) -> Result<Bound<'c>, Error> {
        match self.refused {
            Some(error) => Err(error),
            None => Ok(self.bound),
        }
    }
}

/// A statement of one database.
struct Statement<'c, D: Database> {
    sql: SqlStr,
    arguments: D::Arguments,
    on: On<'c, D>,
}

/// Where a statement is run.
enum On<'c, D: Database> {
    /// On any connection of a pool.
    Pool(&'c sqlx::Pool<D>),
    /// On the connection of a transaction.
    Connection(&'c mut D::Connection),
}

impl<'c, D: Database> Statement<'c, D>
where
    D::Arguments: IntoArguments<D>,
    for<'e> &'e mut D::Connection: Executor<'e, Database = D>,
{
    fn new(sql: SqlStr, on: On<'c, D>) -> Self {
        Self {
            sql,
            arguments: D::Arguments::default(),
            on,
        }
    }

    async fn each(self, mut read: impl FnMut(&D::Row) -> Result<(), Error>) -> Result<(), Error> {
        let query = sqlx::query_with(self.sql, self.arguments);
        let mut rows: BoxStream<'_, Result<D::Row, Error>> = match self.on {
            On::Pool(pool) => query.fetch(pool),
            On::Connection(connection) => query.fetch(connection),
        };
        while let Some(row) = rows.try_next().await? {
            read(&row)?;
        }
        Ok(())
    }

    /// The first row. The statement is run to its end: a database commits there, and sqlx would
    /// drop it after the first row and with it a commit that failed.
    async fn optional(self) -> Result<Option<D::Row>, Error> {
        let query = sqlx::query_with(self.sql, self.arguments);
        let mut rows: BoxStream<'_, Result<D::Row, Error>> = match self.on {
            On::Pool(pool) => query.fetch(pool),
            On::Connection(connection) => query.fetch(connection),
        };
        let mut first = None;
        while let Some(row) = rows.try_next().await? {
            first.get_or_insert(row);
        }
        Ok(first)
    }

    async fn execute(self) -> Result<D::QueryResult, Error> {
        let query = sqlx::query_with(self.sql, self.arguments);
        match self.on {
            On::Pool(pool) => query.execute(pool).await,
            On::Connection(connection) => query.execute(connection).await,
        }
    }
}

/// Counts a failure.
fn counted<T>(errors: &AtomicU64, result: Result<T, Error>) -> Result<T, StoreError> {
    result.map_err(|error| {
        errors.fetch_add(1, Ordering::Relaxed);
        StoreError::Database(error)
    })
}

/// A row that a statement answered.
#[derive(Clone, Copy)]
pub(super) enum Row<'r> {
    Sqlite(&'r sqlx::sqlite::SqliteRow),
    Postgres(&'r sqlx::postgres::PgRow),
}

impl Row<'_> {
    /// The value of the column with this name.
    pub(super) fn get<T: Value>(self, name: &str) -> Result<T, Error> {
        match self {
            Self::Sqlite(row) => row.try_get(name),
            Self::Postgres(row) => row.try_get(name),
        }
    }
}

/// What a column may hold in both databases.
pub(super) trait Value:
    Type<Sqlite> + Type<Postgres> + for<'r> Decode<'r, Sqlite> + for<'r> Decode<'r, Postgres>
{
}

impl<T> Value for T where
    T: Type<Sqlite> + Type<Postgres> + for<'r> Decode<'r, Sqlite> + for<'r> Decode<'r, Postgres>
{
}
