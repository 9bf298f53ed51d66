-- Names in small letters, without accents and apostrophes, as v1 looks for them, and an index that has all that such a search reads.
ALTER TABLE cards ADD COLUMN folded_name TEXT;
ALTER TABLE cards ADD COLUMN folded_printed TEXT;
ALTER TABLE undo_cards ADD COLUMN folded_name TEXT;
ALTER TABLE undo_cards ADD COLUMN folded_printed TEXT;
UPDATE cards SET folded_name = REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(LOWER(name), '’', ''), '''', ''), 'é', 'e'), 'É', 'e'), 'è', 'e'), 'ê', 'e'), 'à', 'a'), 'â', 'a'), 'ä', 'a'), 'ö', 'o'), 'ô', 'o'), 'ü', 'u'), 'ñ', 'n'), 'ç', 'c'),
    folded_printed = REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(LOWER(printed_name), '’', ''), '''', ''), 'é', 'e'), 'É', 'e'), 'è', 'e'), 'ê', 'e'), 'à', 'a'), 'â', 'a'), 'ä', 'a'), 'ö', 'o'), 'ô', 'o'), 'ü', 'u'), 'ñ', 'n'), 'ç', 'c');
UPDATE undo_cards SET folded_name = REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(LOWER(name), '’', ''), '''', ''), 'é', 'e'), 'É', 'e'), 'è', 'e'), 'ê', 'e'), 'à', 'a'), 'â', 'a'), 'ä', 'a'), 'ö', 'o'), 'ô', 'o'), 'ü', 'u'), 'ñ', 'n'), 'ç', 'c'),
    folded_printed = REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(LOWER(printed_name), '’', ''), '''', ''), 'é', 'e'), 'É', 'e'), 'è', 'e'), 'ê', 'e'), 'à', 'a'), 'â', 'a'), 'ä', 'a'), 'ö', 'o'), 'ô', 'o'), 'ü', 'u'), 'ñ', 'n'), 'ç', 'c');
CREATE INDEX cards_folded ON cards (language, set_key, place, folded_name, folded_printed);
-- The cards that have a printing of some label, and the labels that there are.
CREATE INDEX items_label ON items (label, card);
