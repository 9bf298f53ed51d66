-- What marketplaces call an item: their products' numbers. Several items may be one product.
ALTER TABLE items ADD COLUMN tcgplayer INTEGER;
ALTER TABLE items ADD COLUMN cardmarket INTEGER;
CREATE INDEX items_tcgplayer ON items (tcgplayer) WHERE tcgplayer IS NOT NULL;
CREATE INDEX items_cardmarket ON items (cardmarket) WHERE cardmarket IS NOT NULL;
