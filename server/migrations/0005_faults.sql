-- The number of the last give-back of each process that was counted on a day. A process numbers them upwards and sends them one after
-- another: one that is repeated because its reply was lost is not counted again.
CREATE TABLE give_backs (
    account INTEGER NOT NULL,
    meter INTEGER NOT NULL,
    day INTEGER NOT NULL,
    process INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (account, meter, day, process)
) WITHOUT ROWID;
CREATE INDEX give_backs_day ON give_backs (day);

-- Written to learn whether the database can be written.
CREATE TABLE probe (id INTEGER PRIMARY KEY CHECK (id = 1), writes INTEGER NOT NULL);
INSERT INTO probe (id, writes) VALUES (1, 0);

-- The addresses of export files that were handed out and still hold, each by the SHA-256 of its token. They take the place of a secret.
CREATE TABLE export_addresses (hash BLOB PRIMARY KEY, file TEXT NOT NULL, expires INTEGER NOT NULL);
CREATE INDEX export_addresses_expires ON export_addresses (expires);
DELETE FROM facts WHERE name = 'export_secret';
