-- The id of the game that a set, and so its cards, or a sealed product is of. What was filled from a catalogue gets it when it is filled
-- again, at the next start; imports had Pokémon's rows alone.
ALTER TABLE sets ADD COLUMN game TEXT NOT NULL DEFAULT 'pokemon';
ALTER TABLE sealed ADD COLUMN game TEXT NOT NULL DEFAULT 'pokemon';
ALTER TABLE undo_sealed ADD COLUMN game TEXT;
DELETE FROM facts WHERE name = 'catalogue';
