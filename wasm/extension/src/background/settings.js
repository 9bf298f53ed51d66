import { GAMES } from "../ui/games.js";

/** What a user may choose, as it is before anything was chosen. */
export const DEFAULTS = {
  /** Ids of the adapters that are switched on; their hosts are asked for one by one. */
  sites: [],
  /** Further sites by origin pattern, read by structure alone. */
  own: [],
  /** The games whose cards are read. */
  games: GAMES.slice(0, 1),
  /** All names in all languages: inside the extension they cost no transfer. */
  catalogue: "all",
  /** `full`: card, number, grade and confidence; `short`: card alone; `dot`: a coloured dot. */
  style: "full",
  /** `picture`: over the corner of an item's picture, where it has one; `title`: beside its title. */
  place: "picture",
  /** Below this probability a card is shown as unsure. */
  threshold: 0.8,
  /** Whether lots, sealed products and what is no card are marked too. */
  others: true,
  /** Whether details show the market price of a card; it is asked of the user's own service. */
  prices: false,
  /** Where that service is, and a key of it. */
  service: "",
  key: "",
};

const CHOICES = { catalogue: ["english", "english-japanese", "all"], style: ["full", "short", "dot"], place: ["picture", "title"] };

/** The settings, where each that is missing or damaged is as before anything was chosen. */
export async function settings() {
  return sound(await chrome.storage.local.get(Object.keys(DEFAULTS)));
}

export function sound(stored) {
  const all = structuredClone(DEFAULTS);
  for (const [name, options] of Object.entries(CHOICES)) if (options.includes(stored[name])) all[name] = stored[name];
  for (const name of ["sites", "own"]) if (Array.isArray(stored[name])) all[name] = stored[name].filter((value) => typeof value === "string");
  const games = GAMES.filter((game) => Array.isArray(stored.games) && stored.games.includes(game));
  if (games.length > 0) all.games = games;
  if (typeof stored.threshold === "number" && stored.threshold >= 0 && stored.threshold <= 1) all.threshold = stored.threshold;
  for (const name of ["others", "prices"]) if (typeof stored[name] === "boolean") all[name] = stored[name];
  if (typeof stored.service === "string" && /^https?:\/\/[^/\s]+\/?$/.test(stored.service)) all.service = stored.service;
  if (typeof stored.key === "string" && /^[\x21-\x7e]*$/.test(stored.key)) all.key = stored.key;
  return all;
}

export function save(changes) {
  return chrome.storage.local.set(changes);
}
