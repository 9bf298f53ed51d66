import { fill, h } from "./ui/dom.js";
import { called, whereOf } from "./ui/words.js";

const FOUND = 20;
const OFFERED = 8;

/** What is loaded, or on its way, by game. */
const lists = new Map();

/** Names of a game's cards and sets, fetched when somebody first searches. */
function wordsOf(game) {
  if (!lists.has(game)) {
    const loading = fetch(new URL(`words/${game}.json`, import.meta.url)).then((response) => response.json());
    lists.set(game, loading.then((all) => all.map((name) => ({ name, key: name.toLowerCase() }))).catch(() => {
      lists.delete(game);
      return [];
    }));
  }
  return lists.get(game);
}

async function words(games) {
  return (await Promise.all(games.map(wordsOf))).flat();
}

/** What an unfinished query may become: its last words are the beginning of a name. */
export function completions(query, names) {
  const parts = query.toLowerCase().trimStart().split(/\s+/);
  for (let at = 0; at < parts.length; at += 1) {
    const tail = parts.slice(at).join(" ");
    if (tail.length < 2) continue;
    const fit = names.filter(({ key }) => key.startsWith(tail)).sort((a, b) => a.key.length - b.key.length);
    if (fit.length > 0) return fit.slice(0, OFFERED).map(({ name }) => [...query.trimStart().split(/\s+/).slice(0, at), name].join(" "));
  }
  return [];
}

/** A search of the cards of `games` by the reader itself, with the names of cards and sets completed while one types. */
export function finder({ id, games, read, onChoose }) {
  const list = h("datalist", { id: `${id}-names` });
  const found = h("ol", { class: "candidates" });
  const said = h("p", { class: "soft", role: "status" });
  const field = h("input", { id, type: "search", list: list.id, autocomplete: "off", spellcheck: "false", placeholder: "Name, number or set" });
  let turn = 0;
  async function search() {
    const mine = ++turn;
    const query = field.value.trim();
    const offers = query ? completions(field.value, await words(games)) : [];
    if (mine !== turn) return;
    fill(list, offers.map((value) => h("option", { value })));
    // what it may become comes first, but for a name that is complete
    const complete = offers.some((offer) => offer.toLowerCase() === query.toLowerCase());
    const tried = complete || query === "" ? [query].filter(Boolean) : [...offers, query];
    const seen = new Map();
    for (const answer of await read(tried, { maxSuggestions: FOUND })) for (const match of answer.matches) if (!seen.has(match.cardId)) seen.set(match.cardId, match);
    if (mine !== turn) return;
    const cards = [...seen.values()].slice(0, FOUND);
    said.textContent = query === "" ? "" : cards.length === 0 ? "No card found: add a name or a number." : "";
    fill(found, cards.map((match) => h(
      "li",
      { class: "candidate" },
      h("span", { class: "candidate-name" }, h("b", {}, called(match)), h("span", { class: "soft" }, whereOf(match, { several: games.length > 1 }))),
      h("button", { type: "button", "aria-label": `Choose: ${called(match)}, ${match.setName}`, onclick: () => onChoose(match) }, "Choose"),
    )));
  }
  field.addEventListener("focus", () => void words(games), { once: true });
  field.addEventListener("input", () => void search());
  return h("section", { class: "finder", "aria-label": "Find another card" }, h("label", { for: id, class: "unseen" }, "Find another card"), field, list, said, found);
}
