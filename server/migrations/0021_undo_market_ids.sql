-- The numbers that marketplaces call items by, as they were before an import.
ALTER TABLE undo_items ADD COLUMN tcgplayer INTEGER;
ALTER TABLE undo_items ADD COLUMN cardmarket INTEGER;
