import { fill, h } from "./dom.js";
import { links, picture } from "./shops.js";
import { called, facts, fieldWord, gradeWords, headline, OUTCOMES, percent, plain, settlers, shownMatch, signed, sureOf, verdict, whereOf } from "./words.js";

const SETTLING_VALUES = 6;
const ALTERNATIVES = 8;

/**
 * An answer for people: which card it is and what its price depends on, the other cards it could be, and the evidence behind "Why?".
 * `shops` are the marketplaces to link to, `pictures` whether their pictures are shown; `chosen` is the card picked by hand, and `onChoose` hears of
 * another choice; without it nothing can be picked. With `several` games each card says which it is of.
 */
export function detail(answer, { id, shops = [], pictures = false, chosen, onChoose, level = "h3", several = false }) {
  const evidence = h("div", { class: "evidence", id: `${id}-evidence`, "aria-live": "polite" });
  const scale = scaleOf(answer.matches);
  const buttons = answer.matches.map((match, at) => card(match, at, answer, { several, choose: () => show(at) }));
  const why = h("details", { class: "why" }, h("summary", {}, "Why?"));

  function show(at) {
    buttons.forEach((button, of) => button.setAttribute("aria-pressed", String(of === at)));
    fill(evidence, evidenceOf(answer.matches[at], scale));
  }
  if (answer.matches.length > 0) show(0);
  why.append(
    ...[["match", "ambiguous"].includes(answer.outcome.type) && h("p", { class: "soft" }, verdict(answer)), stated(answer)].filter(Boolean),
    ...(answer.matches.length > 0 ? [h("section", { "aria-label": "Evidence" }, h("ol", { class: "cards" }, buttons.map((button) => h("li", {}, button))), evidence)] : []),
    ...[unsettled(answer)].filter(Boolean),
  );
  return h("div", { class: "detail" }, head(answer, { shops, pictures, chosen, level, several }), settling(answer), candidates(answer, { chosen, onChoose, several }), why);
}

/** The answer itself: outcome and confidence, card, set, and what the price depends on. */
function head(answer, { shops, pictures, chosen, level, several }) {
  const { outcome, parsed } = answer;
  const match = chosen ?? shownMatch(answer);
  const sure = chosen ? "chosen by you" : answer.error ? "" : `${percent(sureOf(answer))} sure`;
  const type = chosen ? "match" : outcome.type;
  const word = Object.hasOwn(OUTCOMES, type) ? OUTCOMES[type] : plain(type);
  const where = match && whereOf(match, { several, rarity: true });
  const sold = match ? links(match, shops) : [];
  return h(
    "div",
    { class: "verdict", data: { outcome: type } },
    match && art(match, pictures ? picture(match, shops) : undefined),
    h(
      "div",
      { class: "said" },
      h("p", { class: "kind" }, h("span", { class: "dot", data: { outcome: type } }), h("b", {}, word), sure && h("span", { class: "soft" }, sure)),
      h(level, { class: "named" }, chosen ? called(chosen) : headline(answer), match?.printedName && h("span", { class: "printed", translate: "no" }, ` ${match.printedName}`)),
      where && h("p", { class: "where" }, where),
      !match && outcome.type !== "ambiguous" && h("p", { class: "soft" }, verdict(answer)),
      priced(parsed, match),
      sold.length > 0 && h("p", { class: "links" }, sold.map(({ name, address }) => h("a", { href: address, rel: "noreferrer noopener", target: "_blank" }, `See it at ${name}`))),
    ),
  );
}

/** A drawing with number and set, or the picture over it where there is one. */
function art(match, address) {
  const drawn = h("div", { class: "art", "aria-hidden": "true" }, h("span", { class: "art-number" }, match.cardNumber), h("span", { class: "art-set" }, match.setName));
  if (address) {
    const image = h("img", { src: address, alt: "", loading: "lazy", referrerpolicy: "no-referrer", decoding: "async" });
    image.addEventListener("error", () => image.remove());
    drawn.append(image);
  }
  return drawn;
}

/** What the price of a card depends on: printing, grade or condition, language and the like. */
function priced(parsed, match) {
  const stated = facts(parsed);
  const of = (word) => stated.find((fact) => fact.word === word)?.value;
  const others = match?.printings?.length ?? 0;
  const printing = match?.printing && (of("Printing") || others === 0 ? match.printing : `${match.printing}, the likeliest of ${others + 1}: the title does not say`);
  const pairs = [
    ["printing", "Printing", printing ?? of("Printing")],
    ["grade", "Grade", gradeWords(parsed.grade)],
    ["grade", "Certificate", of("Certificate")],
    ["condition", "Condition", parsed.condition],
    ["fact", "Quantity", of("Quantity")],
    ["fact", "Kind", of("Kind")],
    ["fact", "Game", of("Game")],
  ].filter(([, , value]) => value !== undefined && value !== "");
  if (pairs.length === 0) return undefined;
  return h("dl", { class: "facts priced" }, pairs.map(([group, word, value]) => h("div", { class: `fact of-${group}` }, h("dt", {}, word), h("dd", {}, value))));
}

/** The cards that it could be instead, each to be chosen. */
function candidates({ outcome, matches }, { chosen, onChoose, several }) {
  const rest = outcome.type === "match" && !chosen ? matches.slice(1) : matches;
  if (rest.length === 0) return undefined;
  const row = (match) => {
    const mine = chosen?.marketplaceId === match.marketplaceId;
    return h(
      "li",
      { class: "candidate" },
      h("span", { class: "candidate-name" }, h("b", {}, called(match)), h("span", { class: "soft" }, whereOf(match, { several }))),
      outcome.type === "ambiguous" && h("span", { class: "number soft" }, percent(match.confidence)),
      onChoose && h("button", { type: "button", "aria-pressed": String(mine), "aria-label": `${mine ? "Chosen" : "Choose"}: ${called(match)}, ${match.setName}`, onclick: () => onChoose(mine ? undefined : match) }, mine ? "Chosen" : "Choose"),
    );
  };
  const list = h("ol", { class: "candidates" }, rest.map(row));
  const heading = outcome.type === "match" ? "Or is it another card?" : outcome.type === "not_in_catalogue" ? "The nearest cards" : "Cards it could be";
  if (outcome.type === "match" && !chosen) return h("details", { class: "others" }, h("summary", {}, heading), list);
  return h("section", { "aria-label": heading }, h("h4", {}, heading), list);
}

function card(match, at, { outcome }, { several, choose }) {
  return h(
    "button",
    { type: "button", class: "card", "aria-pressed": "false", onclick: choose, data: { card: at } },
    h("span", { class: "card-name" }, called(match)),
    outcome.type !== "match" && h("span", { class: "card-sure" }, percent(match.confidence)),
    h("span", { class: "card-bar", "aria-hidden": "true", style: { "--share": String(match.confidence) } }),
    h("span", { class: "card-more" }, whereOf(match, { several, rarity: true })),
    h("span", { class: "card-id", translate: "no" }, match.marketplaceId),
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
  const items = lost.slice(0, ALTERNATIVES).map(({ text, field, value }) => h("li", {}, quoted(text), ` as ${fieldWord(field)} ${plain(value)}`));
  if (lost.length > ALTERNATIVES) items.push(h("li", {}, `${lost.length - ALTERNATIVES} more`));
  return h(
    "section",
    { class: "unsettled" },
    parsed.unread.length > 0 && h("p", {}, h("b", {}, "Unread "), parsed.unread.map(({ text }) => [quoted(text), " "])),
    items.length > 0 && [h("h4", {}, "Readings that lost"), h("ul", {}, items)],
  );
}
