-- Money is an integer of ten-thousandths of its currency's unit, a day counts from 1970, a moment is in milliseconds since 1970.
-- A language is the tree of the catalogue: 0 english, 1 japanese.

-- What is known of the whole: `catalogue` (the one the sets and cards were filled from), `synthetic` (the seed of an invented market).
-- The row `lock` is written first in every transaction that loads: it puts them in a row.
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO facts (name, value) VALUES ('lock', '');

CREATE TABLE sets (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    language INTEGER NOT NULL,
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    printed_name TEXT,
    code TEXT,
    series TEXT,
    -- yyyy, yyyy-mm or yyyy-mm-dd
    released TEXT,
    printed_total INTEGER,
    total INTEGER,
    -- JSON objects, as they were imported
    legality TEXT,
    images TEXT,
    UNIQUE (language, slug)
);

CREATE TABLE cards (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    set_key INTEGER NOT NULL REFERENCES sets (key),
    -- the order within its set
    place INTEGER NOT NULL,
    language INTEGER NOT NULL,
    name TEXT NOT NULL,
    printed_name TEXT,
    -- as printed: 4/102
    number TEXT,
    rarity TEXT
);
CREATE INDEX cards_set ON cards (set_key, place);

-- Whatever has a price: a printing of a card, or a sealed product.
CREATE TABLE items (
    key INTEGER PRIMARY KEY,
    marketplace_id TEXT NOT NULL UNIQUE,
    language INTEGER NOT NULL,
    -- none for a sealed product
    card INTEGER REFERENCES cards (key),
    -- the order among the printings of its card, from 0: the first leads
    place INTEGER NOT NULL,
    label TEXT NOT NULL,
    market INTEGER,
    low INTEGER,
    sellers INTEGER,
    updated INTEGER,
    source TEXT,
    eur_market INTEGER,
    eur_low INTEGER,
    eur_updated INTEGER,
    -- the first and last day of its history
    first_day INTEGER,
    last_day INTEGER
);
CREATE INDEX items_card ON items (card, place) WHERE card IS NOT NULL;
CREATE INDEX items_price ON items (language, market) WHERE place = 0 AND card IS NOT NULL;

CREATE TABLE sealed (
    item INTEGER PRIMARY KEY REFERENCES items (key),
    name TEXT NOT NULL,
    set_key INTEGER REFERENCES sets (key),
    set_name TEXT NOT NULL,
    product_type TEXT NOT NULL,
    language INTEGER NOT NULL
);
CREATE INDEX sealed_type ON sealed (language, product_type);
CREATE INDEX sealed_set ON sealed (set_key);

-- Prices by source and condition, beside the headline ones of `items`.
CREATE TABLE quotes (
    item INTEGER NOT NULL REFERENCES items (key),
    source TEXT NOT NULL,
    condition TEXT NOT NULL,
    currency TEXT NOT NULL,
    market INTEGER,
    low INTEGER,
    sellers INTEGER,
    day INTEGER NOT NULL,
    PRIMARY KEY (item, source, condition, currency)
) WITHOUT ROWID;

-- Daily snapshots: `key` is item * 65536 + day / 256, `data` the days of that period (`market::history`).
CREATE TABLE price_history (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
@postgres -- It is packed already.
@postgres ALTER TABLE price_history ALTER COLUMN data SET STORAGE EXTERNAL;

-- Sold listings that were matched. A raw card has the empty grade.
CREATE TABLE sales (
@sqlite     key INTEGER PRIMARY KEY,
@postgres     key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    fingerprint BLOB NOT NULL UNIQUE,
    item INTEGER NOT NULL REFERENCES items (key),
    grade TEXT NOT NULL,
    day INTEGER NOT NULL,
    price INTEGER NOT NULL,
    currency TEXT NOT NULL,
    -- ten-thousandths; none where a person decided
    confidence INTEGER,
    title TEXT NOT NULL,
    url TEXT
);
CREATE INDEX sales_item ON sales (item, grade, day);

CREATE TABLE population (
    item INTEGER PRIMARY KEY REFERENCES items (key),
    language INTEGER NOT NULL,
    total INTEGER NOT NULL,
    gems INTEGER NOT NULL,
    -- a bit for each grader with data: A 1, B 2, C 4, D 8
    graders INTEGER NOT NULL,
    -- high, medium, low
    confidence TEXT NOT NULL,
    -- ten-thousandths
    score INTEGER,
    fetched INTEGER,
    updated INTEGER NOT NULL,
    -- JSON: {"GRADER_A":{"g10":5},…}
    counts TEXT NOT NULL
);
CREATE INDEX population_language ON population (language, item);

-- Listings that a person must look at. `status`: 0 open, 1 accepted, 2 rejected.
CREATE TABLE review (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    fingerprint BLOB NOT NULL UNIQUE,
    title TEXT NOT NULL,
    price INTEGER NOT NULL,
    currency TEXT NOT NULL,
    day INTEGER NOT NULL,
    url TEXT,
    reason TEXT NOT NULL,
    -- the best guess, if there is one
    item INTEGER REFERENCES items (key),
    grade TEXT NOT NULL,
    confidence INTEGER,
    -- JSON: marketplaceIds with probabilities, best first
    candidates TEXT NOT NULL,
    status INTEGER NOT NULL,
    made INTEGER NOT NULL,
    decided INTEGER
);
CREATE INDEX review_status ON review (status, id);

-- The files of the daily export as they stand.
CREATE TABLE exports (dataset TEXT PRIMARY KEY, generated INTEGER NOT NULL, file TEXT NOT NULL, bytes INTEGER NOT NULL, records INTEGER NOT NULL);
-- Who makes the export of which day: one process claims it, and loses the claim if it does not finish.
CREATE TABLE export_run (id INTEGER PRIMARY KEY CHECK (id = 1), day INTEGER NOT NULL, claimed INTEGER NOT NULL, finished INTEGER NOT NULL);
INSERT INTO export_run (id, day, claimed, finished) VALUES (1, 0, 0, 1);
CREATE TABLE export_downloads (
    account INTEGER NOT NULL REFERENCES accounts (id),
    day INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (account, day)
) WITHOUT ROWID;
