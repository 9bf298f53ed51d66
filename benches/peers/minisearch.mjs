// MiniSearch: full-text search with BM25+, fields boosted, words within one edit.
//
//   minisearch.mjs CARDS TITLES
import MiniSearch from "minisearch";
import { run, TOP } from "./common.mjs";

/** Found by hand on `dev`. */
const BOOSTS = { name: 1.5, native: 2, foreign: 0.75, set: 0.8, code: 1.0, alias: 0.6, rarity: 0.25, language: 1.35, year: 1.2, number: 2.0, pair: 2, dex: 0.5, product: 0.4, printing: 0.4 };
const WORDS = ["name", "native", "foreign", "set", "code", "alias", "rarity", "product", "printing"];
const NUMBERS = ["number", "code", "set", "alias", "native"];
/** A word of so many Latin letters is also looked up within one edit. */
const FUZZY_LETTERS = 5;

run((cards) => {
  const index = new MiniSearch({
    fields: Object.keys(BOOSTS),
    tokenize: (text) => text.split(" "),
    processTerm: (term) => term,
    extractField: (card, field) => (field === "id" ? card.id : card[field].join(" ")),
  });
  index.addAll(cards);
  const part = (terms, fields, more) => ({ queries: terms, fields, combineWith: "OR", boost: BOOSTS, ...more });
  return ({ words, numbers, pairs, years, dex, languages }) => {
    const parts = [
      part(words, WORDS, { fuzzy: (term) => (term.length >= FUZZY_LETTERS && /^[a-z]+$/.test(term) ? 1 : false), weights: { fuzzy: 0.3, prefix: 0 } }),
      part(numbers, NUMBERS),
      part(pairs, ["pair"]),
      part(years, ["year"]),
      part(dex, ["dex"]),
      part(languages, ["language"]),
    ];
    return index
      .search({ combineWith: "OR", queries: parts.filter(({ queries }) => queries.length) })
      .slice(0, TOP)
      .map(({ id, score }) => [id, score]);
  };
}, 1);
