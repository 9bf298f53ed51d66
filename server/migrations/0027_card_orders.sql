-- What a card is (pokemon, trainer, energy), and its number in a form whose bytes sort as people count.
ALTER TABLE cards ADD COLUMN kind TEXT;
ALTER TABLE cards ADD COLUMN number_order TEXT;
ALTER TABLE undo_cards ADD COLUMN kind TEXT;
ALTER TABLE undo_cards ADD COLUMN number_order TEXT;
-- The same order in every database: that of the bytes.
@postgres ALTER TABLE cards ALTER COLUMN name TYPE TEXT COLLATE "C", ALTER COLUMN rarity TYPE TEXT COLLATE "C", ALTER COLUMN number_order TYPE TEXT COLLATE "C";
@postgres ALTER TABLE sets ALTER COLUMN released TYPE TEXT COLLATE "C";
@postgres ALTER TABLE sealed ALTER COLUMN name TYPE TEXT COLLATE "C";
-- Each order in which cards are listed, so that a page of it is read and nothing else. Names are never null: one index has both ways.
CREATE INDEX cards_name ON cards (language, name, key);
CREATE INDEX cards_number ON cards (language, number_order, key);
CREATE INDEX cards_rarity ON cards (language, rarity, key);
@postgres CREATE INDEX cards_number_down ON cards (language, number_order DESC NULLS LAST, key DESC);
@postgres CREATE INDEX cards_rarity_down ON cards (language, rarity DESC NULLS LAST, key DESC);
-- Filled again, so that these columns have values.
DELETE FROM facts WHERE name = 'catalogue';
