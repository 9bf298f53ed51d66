-- Each order in which cards are listed, so that a page of it is read and nothing else.
CREATE INDEX cards_language ON cards (language, set_key, place);
DROP INDEX items_price;
@sqlite CREATE INDEX items_cheapest ON items (language, market) WHERE place = 0 AND card IS NOT NULL;
@sqlite CREATE INDEX items_dearest ON items (language, market DESC) WHERE place = 0 AND card IS NOT NULL;
@postgres CREATE INDEX items_cheapest ON items (language, market, key) WHERE place = 0 AND card IS NOT NULL;
@postgres CREATE INDEX items_dearest ON items (language, market DESC NULLS LAST, key) WHERE place = 0 AND card IS NOT NULL;
-- Beside the order what populations are chosen by: the rows themselves are ten times as large.
DROP INDEX population_language;
CREATE INDEX population_language ON population (language, item, total, gems, graders);
