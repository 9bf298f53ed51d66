-- Which process imports files for the service, and until when it holds that unless it says so again.
CREATE TABLE import_run (id INTEGER PRIMARY KEY CHECK (id = 1), holder TEXT NOT NULL, ends INTEGER NOT NULL);
INSERT INTO import_run (id, holder, ends) VALUES (1, '', 0);
-- What was imported, by the key or content that it came with, so that it is imported once. Written with the import itself.
CREATE TABLE import_receipts (
    name TEXT PRIMARY KEY,
    digest BLOB NOT NULL,
    import INTEGER NOT NULL,
    made INTEGER NOT NULL,
    summary TEXT NOT NULL
);
CREATE INDEX import_receipts_made ON import_receipts (made);
