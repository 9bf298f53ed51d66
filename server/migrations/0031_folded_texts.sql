-- Texts as filters compare them: in small letters, without accents and apostrophes. A database folds letters outside ASCII in its own way or
-- not at all, so the service folds them, and fills these columns of rows that are here when it opens the database.
ALTER TABLE cards ADD COLUMN folded_rarity TEXT;
ALTER TABLE undo_cards ADD COLUMN folded_rarity TEXT;
ALTER TABLE sealed ADD COLUMN folded_type TEXT;
ALTER TABLE undo_sealed ADD COLUMN folded_type TEXT;
ALTER TABLE review ADD COLUMN folded_title TEXT;
-- A count of the cards of a rarity reads nothing else.
CREATE INDEX cards_folded_rarity ON cards (language, folded_rarity, set_key, place);
INSERT INTO facts (name, value) VALUES ('rows lack folded texts', '');
