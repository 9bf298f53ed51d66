import { fill, h } from "./dom.js";
import { called, capital, facts, fieldWord, headline, percent, settlers, signed, verdict } from "./words.js";

const SETTLING_VALUES = 6;
const ALTERNATIVES = 8;

/** All that is known about one answer but its title: verdict, what the title states, cards, and the evidence of the chosen card. */
export function detail(answer, { id }) {
  const evidence = h("div", { class: "evidence", id: `${id}-evidence` });
  const scale = scaleOf(answer.matches);
  const buttons = answer.matches.map((match, at) => card(match, at, () => show(at)));

  function show(chosen) {
    buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(at === chosen)));
    fill(evidence, evidenceOf(answer.matches[chosen], scale));
  }
  if (answer.matches.length > 0) show(0);

  return h(
    "div",
    { class: "detail" },
    h("div", { class: "verdict", data: { outcome: answer.outcome.type } }, h("h3", {}, headline(answer)), h("p", {}, verdict(answer))),
    settling(answer),
    stated(answer),
    answer.matches.length > 0 &&
      h(
        "div",
        { class: "cards-and-evidence" },
        h("section", { "aria-label": "Cards" }, h("h4", {}, answer.outcome.type === "match" ? "Cards" : "Cards it could be"), h("ol", { class: "cards" }, buttons.map((button) => h("li", {}, button)))),
        h("section", { "aria-label": "Evidence", "aria-live": "polite" }, evidence),
      ),
    unsettled(answer),
  );
}

function card(match, at, choose) {
  const more = [match.setName, match.rarity, capital(match.language)].filter(Boolean).join(" · ");
  return h(
    "button",
    { type: "button", class: "card", "aria-pressed": "false", onclick: choose, data: { card: at } },
    h("span", { class: "card-name" }, called(match), match.printedName && h("span", { class: "printed", translate: "no" }, ` ${match.printedName}`)),
    h("span", { class: "card-sure" }, percent(match.confidence)),
    h("span", { class: "card-bar", "aria-hidden": "true", style: { "--share": String(match.confidence) } }),
    h("span", { class: "card-more" }, more),
    h("span", { class: "card-id", translate: "no" }, match.marketplaceId, match.printing && ` · ${match.printing}`),
  );
}

/** Where zero lies on the axis, and how long a unit of weight is, the same for all cards of an answer. */
function scaleOf(matches) {
  const weights = matches.flatMap((match) => match.evidence.map(({ weight }) => weight));
  const highest = Math.max(0, ...weights);
  const lowest = Math.max(0, ...weights.map((weight) => -weight));
  const zero = lowest === 0 ? 0 : highest === 0 ? 1 : Math.min(0.85, Math.max(0.15, lowest / (highest + lowest)));
  const unit = Math.min(highest > 0 ? (1 - zero) / highest : 1, lowest > 0 ? zero / lowest : 1);
  return { zero, unit };
}

function evidenceOf(match, { zero, unit }) {
  const total = match.evidence.reduce((sum, { weight }) => sum + weight, 0);
  const row = ({ field, weight, note }) => {
    const length = Math.abs(weight) * unit;
    const bar = h("span", {
      class: weight < 0 ? "bar against" : "bar for",
      style: { "--zero": `${zero * 100}%`, "--from": `${(weight < 0 ? zero - length : zero) * 100}%`, "--length": `${length * 100}%` },
    });
    return h(
      "tr",
      { class: weight === 0 ? "weightless" : false },
      h("th", { scope: "row" }, fieldWord(field), h("span", { class: "note" }, note)),
      h("td", { class: "weight" }, signed(weight)),
      h("td", { class: "axis", "aria-hidden": "true" }, bar),
    );
  };
  return h(
    "table",
    {},
    h("caption", {}, h("span", { class: "h4" }, "Evidence for and against"), h("span", { class: "about" }, `${called(match)}, ${match.setName}; in log-odds: +2.3 makes it ten times as likely`)),
    h("thead", { class: "unseen" }, h("tr", {}, h("th", { scope: "col" }, "Attribute"), h("th", { scope: "col" }, "Weight"), h("td", { "aria-hidden": "true" }))),
    h("tbody", {}, match.evidence.map(row)),
    h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "sum"), h("td", { class: "weight" }, signed(total)), h("td", { "aria-hidden": "true" }))),
  );
}

function settling(answer) {
  const ways = settlers(answer);
  if (ways.length === 0) return undefined;
  const rows = ways.map(({ field, values }) => {
    const chips = values.slice(0, SETTLING_VALUES).map((value) => h("li", {}, value));
    if (values.length > SETTLING_VALUES) chips.push(h("li", { class: "more" }, `${values.length - SETTLING_VALUES} more`));
    return h("div", { class: "settle-row" }, h("span", { class: "settle-field" }, fieldWord(field)), chips.length > 1 && h("ul", { class: "chips" }, chips));
  });
  return h("section", { class: "settle", "aria-label": "What would settle it" }, h("h4", {}, "What would settle it"), rows);
}

function stated({ parsed }) {
  const pairs = facts(parsed);
  if (pairs.length === 0) return undefined;
  const items = pairs.map(({ group, word, value }) => h("div", { class: `fact of-${group}` }, h("dt", {}, word), h("dd", {}, value)));
  return h("section", { "aria-label": "What the title states" }, h("h4", {}, "What the title states"), h("dl", { class: "facts" }, items));
}

/** Readings that lost, and words that nothing explains. */
function unsettled({ parsed }) {
  const lost = parsed.alternatives ?? [];
  if (lost.length === 0 && parsed.unread.length === 0) return undefined;
  const quoted = (text) => h("q", { translate: "no" }, h("bdi", {}, text));
  const items = lost.slice(0, ALTERNATIVES).map(({ text, field, value }) => h("li", {}, quoted(text), ` as ${fieldWord(field)} ${value}`));
  if (lost.length > ALTERNATIVES) items.push(h("li", {}, `${lost.length - ALTERNATIVES} more`));
  return h(
    "section",
    { class: "unsettled" },
    parsed.unread.length > 0 && h("p", {}, h("b", {}, "Unread "), parsed.unread.map(({ text }) => [quoted(text), " "])),
    items.length > 0 && [h("h4", {}, "Readings that lost"), h("ul", {}, items)],
  );
}
