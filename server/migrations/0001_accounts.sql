-- Raised by one in every transaction that changes accounts or keys, as its first statement: it takes the lock that puts those
-- transactions in a row, and tells the other processes what to read anew.
CREATE TABLE changes (id INTEGER PRIMARY KEY CHECK (id = 1), counter INTEGER NOT NULL);
INSERT INTO changes (id, counter) VALUES (1, 0);

CREATE TABLE accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    plan TEXT NOT NULL,
    created INTEGER NOT NULL,
    changed INTEGER NOT NULL
);
CREATE INDEX accounts_changed ON accounts (changed);

-- A key without an account is an administrator's.
CREATE TABLE keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER REFERENCES accounts (id),
    prefix TEXT NOT NULL UNIQUE,
    hash BLOB NOT NULL,
    name TEXT NOT NULL,
    created INTEGER NOT NULL,
    revoked INTEGER,
    changed INTEGER NOT NULL
);
CREATE INDEX keys_account ON keys (account);
CREATE INDEX keys_changed ON keys (changed);

-- What an account used on a UTC day. `leased` is the part of `used` that processes hold and had not spent when they last wrote.
CREATE TABLE usage (
    account INTEGER NOT NULL REFERENCES accounts (id),
    meter INTEGER NOT NULL,
    day INTEGER NOT NULL,
    used INTEGER NOT NULL,
    leased INTEGER NOT NULL,
    minute INTEGER NOT NULL,
    minute_used INTEGER NOT NULL,
    granted INTEGER NOT NULL,
    granted_calls INTEGER NOT NULL,
    PRIMARY KEY (account, meter, day)
) WITHOUT ROWID;
