-- Money is an integer of ten-thousandths of its currency's unit, a day counts from 1970, a moment is in milliseconds since 1970.
-- A language is the tree of the catalogue: 0 english, 1 japanese.

-- What is known of the whole: `catalogue` (the one the sets and cards were filled from), `synthetic` (the seed of an invented market).
-- The row `lock` is written first in every transaction that loads: it puts them in a row.
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO facts (name, value) VALUES ('lock', '');

CREATE TABLE sets (
    key BIGINT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    language BIGINT NOT NULL,
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    printed_name TEXT,
    code TEXT,
    series TEXT,
    -- yyyy, yyyy-mm or yyyy-mm-dd
    released TEXT,
    printed_total BIGINT,
    total BIGINT,
    -- JSON objects, as they were imported
    legality TEXT,
    images TEXT,
    UNIQUE (language, slug)
);

CREATE TABLE cards (
    key BIGINT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    set_key BIGINT NOT NULL REFERENCES sets (key),
    -- the order within its set
    place BIGINT NOT NULL,
    language BIGINT NOT NULL,
    name TEXT NOT NULL,
    printed_name TEXT,
    -- as printed: 4/102
    number TEXT,
    rarity TEXT
);
CREATE INDEX cards_set ON cards (set_key, place);

-- Whatever has a price: a printing of a card, or a sealed product.
CREATE TABLE items (
    key BIGINT PRIMARY KEY,
    marketplace_id TEXT NOT NULL UNIQUE,
    language BIGINT NOT NULL,
    -- none for a sealed product
    card BIGINT REFERENCES cards (key),
    -- the order among the printings of its card, from 0: the first leads
    place BIGINT NOT NULL,
    label TEXT NOT NULL,
    market BIGINT,
    low BIGINT,
    sellers BIGINT,
    updated BIGINT,
    source TEXT,
    eur_market BIGINT,
    eur_low BIGINT,
    eur_updated BIGINT,
    -- the first and last day of its history
    first_day BIGINT,
    last_day BIGINT
);
CREATE INDEX items_card ON items (card, place) WHERE card IS NOT NULL;
CREATE INDEX items_price ON items (language, market) WHERE place = 0 AND card IS NOT NULL;

CREATE TABLE sealed (
    item BIGINT PRIMARY KEY REFERENCES items (key),
    name TEXT NOT NULL,
    set_key BIGINT REFERENCES sets (key),
    set_name TEXT NOT NULL,
    product_type TEXT NOT NULL,
    language BIGINT NOT NULL
);
CREATE INDEX sealed_type ON sealed (language, product_type);
CREATE INDEX sealed_set ON sealed (set_key);

-- Prices by source and condition, beside the headline ones of `items`.
CREATE TABLE quotes (
    item BIGINT NOT NULL REFERENCES items (key),
    source TEXT NOT NULL,
    condition TEXT NOT NULL,
    currency TEXT NOT NULL,
    market BIGINT,
    low BIGINT,
    sellers BIGINT,
    day BIGINT NOT NULL,
    PRIMARY KEY (item, source, condition, currency)
);

-- Daily snapshots: `key` is item * 65536 + day / 256, `data` the days of that period (`market::history`).
CREATE TABLE price_history (key BIGINT PRIMARY KEY, data BYTEA NOT NULL);
-- It is packed already.
ALTER TABLE price_history ALTER COLUMN data SET STORAGE EXTERNAL;

-- Sold listings that were matched. A raw card has the empty grade.
CREATE TABLE sales (
    key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    fingerprint BYTEA NOT NULL UNIQUE,
    item BIGINT NOT NULL REFERENCES items (key),
    grade TEXT NOT NULL,
    day BIGINT NOT NULL,
    price BIGINT NOT NULL,
    currency TEXT NOT NULL,
    -- ten-thousandths; none where a person decided
    confidence BIGINT,
    title TEXT NOT NULL,
    url TEXT
);
CREATE INDEX sales_item ON sales (item, grade, day);

CREATE TABLE population (
    item BIGINT PRIMARY KEY REFERENCES items (key),
    language BIGINT NOT NULL,
    total BIGINT NOT NULL,
    gems BIGINT NOT NULL,
    -- a bit for each grader with data: A 1, B 2, C 4, D 8
    graders BIGINT NOT NULL,
    -- high, medium, low
    confidence TEXT NOT NULL,
    -- ten-thousandths
    score BIGINT,
    fetched BIGINT,
    updated BIGINT NOT NULL,
    -- JSON: {"GRADER_A":{"g10":5},…}
    counts TEXT NOT NULL
);
CREATE INDEX population_language ON population (language, item);

-- Listings that a person must look at. `status`: 0 open, 1 accepted, 2 rejected.
CREATE TABLE review (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    fingerprint BYTEA NOT NULL UNIQUE,
    title TEXT NOT NULL,
    price BIGINT NOT NULL,
    currency TEXT NOT NULL,
    day BIGINT NOT NULL,
    url TEXT,
    reason TEXT NOT NULL,
    -- the best guess, if there is one
    item BIGINT REFERENCES items (key),
    grade TEXT NOT NULL,
    confidence BIGINT,
    -- JSON: marketplaceIds with probabilities, best first
    candidates TEXT NOT NULL,
    status BIGINT NOT NULL,
    made BIGINT NOT NULL,
    decided BIGINT
);
CREATE INDEX review_status ON review (status, id);

-- The files of the daily export as they stand.
CREATE TABLE exports (dataset TEXT PRIMARY KEY, generated BIGINT NOT NULL, file TEXT NOT NULL, bytes BIGINT NOT NULL, records BIGINT NOT NULL);
-- Who makes the export of which day: one process claims it, and loses the claim if it does not finish.
CREATE TABLE export_run (id BIGINT PRIMARY KEY CHECK (id = 1), day BIGINT NOT NULL, claimed BIGINT NOT NULL, finished BIGINT NOT NULL);
INSERT INTO export_run (id, day, claimed, finished) VALUES (1, 0, 0, 1);
CREATE TABLE export_downloads (
    account BIGINT NOT NULL REFERENCES accounts (id),
    day BIGINT NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (account, day)
);
