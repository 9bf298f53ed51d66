-- Raised by one in every transaction that changes accounts or keys, as its first statement: it takes the lock that puts those
-- transactions in a row, and tells the other processes what to read anew.
CREATE TABLE changes (id BIGINT PRIMARY KEY CHECK (id = 1), counter BIGINT NOT NULL);
INSERT INTO changes (id, counter) VALUES (1, 0);

CREATE TABLE accounts (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    plan TEXT NOT NULL,
    created BIGINT NOT NULL,
    changed BIGINT NOT NULL
);
CREATE INDEX accounts_changed ON accounts (changed);

-- A key without an account is an administrator's.
CREATE TABLE keys (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account BIGINT REFERENCES accounts (id),
    prefix TEXT NOT NULL UNIQUE,
    hash BYTEA NOT NULL,
    name TEXT NOT NULL,
    created BIGINT NOT NULL,
    revoked BIGINT,
    changed BIGINT NOT NULL
);
CREATE INDEX keys_account ON keys (account);
CREATE INDEX keys_changed ON keys (changed);

-- What an account used on a UTC day. `leased` is the part of `used` that processes hold and had not spent when they last wrote.
CREATE TABLE usage (
    account BIGINT NOT NULL REFERENCES accounts (id),
    meter BIGINT NOT NULL,
    day BIGINT NOT NULL,
    used BIGINT NOT NULL,
    leased BIGINT NOT NULL,
    minute BIGINT NOT NULL,
    minute_used BIGINT NOT NULL,
    granted BIGINT NOT NULL,
    granted_calls BIGINT NOT NULL,
    PRIMARY KEY (account, meter, day)
);
