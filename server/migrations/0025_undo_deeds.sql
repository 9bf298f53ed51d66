-- Deeds of administrators are changes like imports, with a number by which they can be undone: `kind` says what each was.
-- What cards and items were called before they were merged into others: the id of a card, or of an item.
CREATE TABLE former_ids (id TEXT PRIMARY KEY, card INTEGER REFERENCES cards (key), item INTEGER REFERENCES items (key)) WITHOUT ROWID;
CREATE INDEX former_ids_card ON former_ids (card);
CREATE INDEX former_ids_item ON former_ids (item);
CREATE TABLE undo_former_ids (batch INTEGER NOT NULL, existed INTEGER NOT NULL, id TEXT NOT NULL, card INTEGER, item INTEGER, PRIMARY KEY (id, batch)) WITHOUT ROWID;
CREATE INDEX undo_former_ids_batch ON undo_former_ids (batch);
-- What imports do not alter, and a row that is put back needs. NULL in what was kept before.
ALTER TABLE undo_cards ADD COLUMN id TEXT;
ALTER TABLE undo_items ADD COLUMN marketplace_id TEXT;
ALTER TABLE undo_review ADD COLUMN candidates TEXT;
-- The number of the change that decided about a listing.
ALTER TABLE review ADD COLUMN decision INTEGER;
ALTER TABLE undo_review ADD COLUMN decision INTEGER;
CREATE INDEX review_decision ON review (decision) WHERE decision IS NOT NULL;
