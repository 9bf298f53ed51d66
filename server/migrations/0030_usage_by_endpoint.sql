-- Calls and credits of an account by UTC day and endpoint, for the account's own view. What is charged is counted in `usage`.
CREATE TABLE endpoint_usage (
    account INTEGER NOT NULL REFERENCES accounts (id),
    day INTEGER NOT NULL,
    endpoint TEXT NOT NULL,
    calls INTEGER NOT NULL,
    credits INTEGER NOT NULL,
    PRIMARY KEY (account, day, endpoint)
) WITHOUT ROWID;
