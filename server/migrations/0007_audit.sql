-- Who changed accounts, keys and what is answered from: never altered, never deleted. `by_key` is the number of the key that asked, NULL for
-- the command line; `subject` is the number of the key or listing that was changed.
CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    moment INTEGER NOT NULL,
    by_key INTEGER,
    deed TEXT NOT NULL,
    account INTEGER,
    subject INTEGER,
    detail TEXT NOT NULL
);
