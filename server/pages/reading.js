// How a title was read: its words coloured in place, and the evidence for a card.

import { element } from "./ask.js";

/** Kinds of attributes that share a colour, as style.css has them. */
const PARTS = {
  name: ["name"],
  number: ["number", "dexNumber"],
  set: ["set", "year", "origin"],
  printing: ["edition", "finish", "pattern", "stamp", "treatment", "error", "size"],
  rarity: ["rarity"],
  language: ["language"],
  grade: ["grader", "grade", "label", "qualifier", "certNumber", "autograph", "population"],
  condition: ["condition"],
};
const partOf = (field) => Object.keys(PARTS).find((part) => PARTS[part].includes(field)) ?? "";

/** The title with each reading in a span; its text stays what it was. Spans count bytes. */
export function coloured(title, { spans }) {
  const bytes = new TextEncoder().encode(title);
  const text = (from, to) => new TextDecoder().decode(bytes.subarray(from, to));
  const parts = [];
  let read = 0;
  for (const { start, end, field, value } of [...spans].sort((one, other) => one.start - other.start)) {
    const part = partOf(field);
    if (start < read || end <= start || !part) continue;
    parts.push(text(read, start));
    const made = element("span", text(start, end));
    made.dataset.part = part;
    made.title = value ? `${field}: ${value}` : field;
    parts.push(made);
    read = end;
  }
  return [...parts, text(read, bytes.length)];
}

/** The match of an answer that a printing belongs to. */
export function matchOf({ matches }, marketplaceId) {
  return matches.find((of) => of.marketplaceId === marketplaceId || of.printings?.some((other) => other.marketplaceId === marketplaceId));
}

/** What speaks for and against a match, as a table. */
export function evidenceOf({ evidence }) {
  const table = element("table", "", "evidence");
  table.append(element("caption", "Evidence in log-odds: +2.3 makes the card ten times as likely", "soft"));
  const body = document.createElement("tbody");
  for (const { field, note, weight } of evidence) {
    const row = document.createElement("tr");
    const head = element("th", field);
    head.scope = "row";
    row.append(head, element("td", note), element("td", signed(weight), "number"));
    body.append(row);
  }
  table.append(body);
  return table;
}

const signed = (weight) => `${weight < 0 ? "−" : "+"}${Math.abs(weight).toFixed(1)}`;
