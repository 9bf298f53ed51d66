-- Imports, and what the rows that they changed were before. `forgotten` where that is no longer kept.
CREATE TABLE imports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    made INTEGER NOT NULL,
    records INTEGER NOT NULL,
    undone INTEGER,
    forgotten INTEGER NOT NULL
);
-- One table for each that imports change: its keys, and the columns that an import may alter. `existed` is 0 for a row that the import
-- added; the others are then empty.
CREATE TABLE undo_facts (batch INTEGER NOT NULL, existed INTEGER NOT NULL, name TEXT NOT NULL, value TEXT, PRIMARY KEY (name, batch)) WITHOUT ROWID;
CREATE INDEX undo_facts_batch ON undo_facts (batch);
CREATE TABLE undo_sets (batch INTEGER NOT NULL, existed INTEGER NOT NULL, key INTEGER NOT NULL, name TEXT, printed_name TEXT, code TEXT, series TEXT, released TEXT, printed_total INTEGER, total INTEGER, legality TEXT, images TEXT, PRIMARY KEY (key, batch)) WITHOUT ROWID;
CREATE INDEX undo_sets_batch ON undo_sets (batch);
CREATE TABLE undo_cards (batch INTEGER NOT NULL, existed INTEGER NOT NULL, key INTEGER NOT NULL, set_key INTEGER, place INTEGER, language INTEGER, name TEXT, printed_name TEXT, number TEXT, rarity TEXT, PRIMARY KEY (key, batch)) WITHOUT ROWID;
CREATE INDEX undo_cards_batch ON undo_cards (batch);
CREATE TABLE undo_items (batch INTEGER NOT NULL, existed INTEGER NOT NULL, key INTEGER NOT NULL, language INTEGER, card INTEGER, place INTEGER, label TEXT, market INTEGER, low INTEGER, sellers INTEGER, updated INTEGER, source TEXT, headline_condition TEXT, eur_market INTEGER, eur_low INTEGER, eur_updated INTEGER, first_day INTEGER, last_day INTEGER, PRIMARY KEY (key, batch)) WITHOUT ROWID;
CREATE INDEX undo_items_batch ON undo_items (batch);
CREATE TABLE undo_sealed (batch INTEGER NOT NULL, existed INTEGER NOT NULL, item INTEGER NOT NULL, name TEXT, set_key INTEGER, set_name TEXT, product_type TEXT, language INTEGER, PRIMARY KEY (item, batch)) WITHOUT ROWID;
CREATE INDEX undo_sealed_batch ON undo_sealed (batch);
CREATE TABLE undo_rates (batch INTEGER NOT NULL, existed INTEGER NOT NULL, currency TEXT NOT NULL, day INTEGER NOT NULL, usd INTEGER, PRIMARY KEY (currency, day, batch)) WITHOUT ROWID;
CREATE INDEX undo_rates_batch ON undo_rates (batch);
CREATE TABLE undo_price_history (batch INTEGER NOT NULL, existed INTEGER NOT NULL, key INTEGER NOT NULL, data BLOB, PRIMARY KEY (key, batch)) WITHOUT ROWID;
CREATE INDEX undo_price_history_batch ON undo_price_history (batch);
CREATE TABLE undo_quotes (batch INTEGER NOT NULL, existed INTEGER NOT NULL, item INTEGER NOT NULL, source TEXT NOT NULL, condition TEXT NOT NULL, currency TEXT NOT NULL, market INTEGER, low INTEGER, sellers INTEGER, day INTEGER, PRIMARY KEY (item, source, condition, currency, batch)) WITHOUT ROWID;
CREATE INDEX undo_quotes_batch ON undo_quotes (batch);
CREATE TABLE undo_population (batch INTEGER NOT NULL, existed INTEGER NOT NULL, item INTEGER NOT NULL, language INTEGER, total INTEGER, gems INTEGER, graders INTEGER, confidence TEXT, score INTEGER, fetched INTEGER, updated INTEGER, counts TEXT, PRIMARY KEY (item, batch)) WITHOUT ROWID;
CREATE INDEX undo_population_batch ON undo_population (batch);
CREATE TABLE undo_review (batch INTEGER NOT NULL, existed INTEGER NOT NULL, id INTEGER NOT NULL, fingerprint BLOB, item INTEGER, grade TEXT, day INTEGER, price INTEGER, currency TEXT, status INTEGER, decided INTEGER, number TEXT, alike BLOB, PRIMARY KEY (id, batch)) WITHOUT ROWID;
CREATE INDEX undo_review_batch ON undo_review (batch);
CREATE TABLE undo_sales (batch INTEGER NOT NULL, existed INTEGER NOT NULL, key INTEGER NOT NULL, fingerprint BLOB, item INTEGER, grade TEXT, day INTEGER, price INTEGER, currency TEXT, confidence INTEGER, title TEXT, url TEXT, number TEXT, alike BLOB, PRIMARY KEY (key, batch)) WITHOUT ROWID;
CREATE INDEX undo_sales_batch ON undo_sales (batch);
-- The condition that an item's headline price is for, where no other price is known.
ALTER TABLE items ADD COLUMN headline_condition TEXT;
