// Fuse.js: token search, which weighs each word of the title by how rare it is.
//
//   fuse.mjs CARDS TITLES
import Fuse from "fuse.js";
import { run, TOP } from "./common.mjs";

/** Tokens between spaces, so that `4` is not found inside `14`. */
const text = (tokens) => (tokens.length ? ` ${tokens.join("  ")} ` : "");
/** Numbers are marked, so that they are found as numbers only. */
const marked = (values) => values.map((value) => `#${value}`);

const FIELDS = ["name", "native", "foreign", "set", "code", "alias", "rarity", "language", "year", "pair", "printing"];
const words = (card) => text([...new Set([...FIELDS.flatMap((field) => card[field]), ...marked(card.number)])]);
const query = ({ words, numbers, pairs, years, languages }) =>
  text([...words, ...numbers.filter((number) => /[a-z]/.test(number)), ...marked(numbers), ...pairs, ...years, ...languages]);

run((cards) => {
  const items = cards.map((card) => ({ id: card.id, words: words(card), name: text([...card.name, ...card.native]) }));
  const fuse = new Fuse(items, {
    keys: ["words", "name"],
    useTokenSearch: true,
    tokenize: (text) => text.split(/ +/).filter(Boolean).map((token) => ` ${token} `),
    includeScore: true,
    // a long list of translated names must not count against a card
    ignoreFieldNorm: true,
    // all is folded already
    isCaseSensitive: true,
    // a word within one edit (0.2) takes several times as long
    threshold: 0,
  });
  // Fuse's scores fall towards 0 for a better match
  return (title) => fuse.search(query(title), { limit: TOP }).map(({ item, score }) => [item.id, -Math.log(score + 1e-9)]);
}, 1);
