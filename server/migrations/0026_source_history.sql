-- Histories of prices in USD by source, packed as price_history, for each source that a price file names. Prices for Near Mint are kept
-- apart: they count for the days on which their source has no other.
CREATE TABLE source_history (
    item INTEGER NOT NULL REFERENCES items (key),
    source TEXT NOT NULL,
    near_mint INTEGER NOT NULL,
    chunk INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (item, source, near_mint, chunk)
) WITHOUT ROWID;
CREATE TABLE undo_source_history (batch INTEGER NOT NULL, existed INTEGER NOT NULL, item INTEGER NOT NULL, source TEXT NOT NULL, near_mint INTEGER NOT NULL, chunk INTEGER NOT NULL, data BLOB, PRIMARY KEY (item, source, near_mint, chunk, batch)) WITHOUT ROWID;
CREATE INDEX undo_source_history_batch ON undo_source_history (batch);
