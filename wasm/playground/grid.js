import { fill, h } from "./ui/dom.js";
import { colouredTitle } from "./ui/title.js";
import { gameWord, gradeShort, headline, OUTCOMES, percent, shownMatch, sureOf } from "./ui/words.js";

/** Rows kept above and below those that are seen. */
const BEYOND = 6;
const COLUMNS = [
  { id: "at", head: "#", of: (item) => item.at },
  { id: "title", head: "Title", of: (item) => item.title },
  { id: "card", head: "Card", of: (item) => item.card },
  { id: "set", head: "Set", of: (item) => item.set },
  { id: "grade", head: "Grade", of: (item) => item.grade },
  { id: "sure", head: "Sure", of: (item) => item.sure },
];
const collator = new Intl.Collator("en", { numeric: true });

/**
 * What a row shows and is sorted by, once for each answer and choice. `id` stays with a title that moves, `at` is its place; with `several` games a set
 * is told with its game.
 */
export function itemOf({ id, at, title, answer, row, chosen, several = false }) {
  const match = chosen ?? shownMatch(answer);
  const card = chosen ? `${chosen.name} ${chosen.cardNumber}` : headline(answer);
  const game = several && match?.game ? `${gameWord(match.game)} · ` : "";
  const set = `${game}${match?.setName ?? answer.parsed.set?.name ?? ""}`;
  const grade = gradeShort(answer.parsed.grade) ?? answer.parsed.condition ?? "";
  return { id, at, title, answer, row, chosen, card, cardId: match?.cardId, set, grade, sure: answer.error ? 0 : sureOf(answer), outcome: answer.outcome.type, text: `${title}\n${card}\n${set}\n${grade}`.toLowerCase() };
}

/** A table of which only the rows that are seen are in the document. */
export class Grid {
  #element;
  #head;
  #scroller;
  #sizer;
  #items = [];
  #shown = [];
  #rows = new Map();
  #sort = { by: "at", down: false };
  #accepts = () => true;
  #active = 0;
  #selected = new Set();
  #anchor = 0;
  #planned = false;
  #grouped = false;
  /** Of titles that are grouped by card: how many the first has beside it, itself counted; 0 of the others. */
  #counts = new Map();
  /** Pixels of a row, and of what is seen of all rows. */
  #height = 30;
  #room = 0;
  #onOpen;
  #onChange;

  /** `onOpen` hears which item is opened, `onChange` when what is shown or selected has changed. */
  constructor(element, { onOpen, onChange }) {
    this.#element = element;
    this.#onOpen = onOpen;
    this.#onChange = onChange;
    this.#head = h("div", { class: "grid-head", role: "row", "aria-rowindex": "1" });
    this.#sizer = h("div", { class: "grid-sizer", role: "presentation" });
    this.#scroller = h("div", { class: "grid-rows", role: "rowgroup" }, this.#sizer);
    element.append(h("div", { role: "rowgroup" }, this.#head), this.#scroller);
    this.#scroller.addEventListener("scroll", () => this.#plan(), { passive: true });
    new ResizeObserver(() => {
      this.#height = parseFloat(getComputedStyle(element).getPropertyValue("--row")) * parseFloat(getComputedStyle(document.documentElement).fontSize);
      this.#room = this.#scroller.clientHeight;
      this.#plan();
    }).observe(this.#scroller);
    element.addEventListener("keydown", (event) => this.#key(event));
    this.#scroller.addEventListener("click", (event) => this.#click(event));
    this.#drawHead();
  }

  /** Shows these items; rows whose item is the same object stay, and titles that have moved are still active and selected. */
  show(items) {
    const [active, anchor] = [this.#active, this.#anchor].map((at) => this.#shown[at]?.id);
    this.#items = items;
    this.#selected = new Set(items.map(({ id }) => id).filter((id) => this.#selected.has(id)));
    this.refine(this.#accepts);
    const placeOf = (id, otherwise) => {
      const at = this.#shown.findIndex((item) => item.id === id);
      return at < 0 ? otherwise : at;
    };
    this.#active = placeOf(active, this.#active);
    this.#anchor = placeOf(anchor, this.#active);
  }

  /** Shows only the items that `accepts`. */
  refine(accepts) {
    this.#accepts = accepts;
    const { by, down } = this.#sort;
    const { of } = COLUMNS.find(({ id }) => id === by);
    const compare = (a, b) => (typeof of(a) === "number" ? of(a) - of(b) : collator.compare(of(a), of(b))) * (down ? -1 : 1) || a.at - b.at;
    this.#shown = this.#items.filter(accepts);
    if (by !== "at" || down) this.#shown.sort(compare);
    this.#gather();
    this.#active = Math.min(this.#active, Math.max(0, this.#shown.length - 1));
    this.#element.setAttribute("aria-rowcount", String(this.#shown.length + 1));
    this.#element.style.setProperty("--rows", String(this.#shown.length));
    this.#plan();
    this.#onChange();
  }

  /** Brings the titles of a card together, where the first of them stands; or leaves each where it stands. */
  group(grouped) {
    this.#grouped = grouped;
    this.refine(this.#accepts);
  }

  #gather() {
    this.#counts.clear();
    if (!this.#grouped) return;
    const groups = Map.groupBy(this.#shown, (item) => item.cardId ?? item);
    this.#shown = [...groups.values()].flat();
    for (const items of groups.values()) items.forEach((item, at) => this.#counts.set(item.id, at === 0 ? items.length : 0));
  }

  get shown() {
    return this.#shown;
  }

  get selected() {
    return this.#shown.filter((item) => this.#selected.has(item.id));
  }

  get active() {
    return this.#shown[this.#active];
  }

  focus() {
    this.#element.focus();
  }

  /** Draws before the next frame. */
  #plan() {
    if (this.#planned) return;
    this.#planned = true;
    requestAnimationFrame(() => {
      this.#planned = false;
      this.#draw();
    });
  }

  #draw() {
    const { scrollTop } = this.#scroller;
    const from = Math.max(0, Math.floor(scrollTop / this.#height) - BEYOND);
    const to = Math.min(this.#shown.length, Math.ceil((scrollTop + this.#room) / this.#height) + BEYOND);
    const before = this.#rows;
    this.#rows = new Map();
    for (let at = from; at < to; at += 1) {
      const item = this.#shown[at];
      const old = before.get(item.id);
      const row = old?.item === item ? old.row : this.#row(item);
      if (old?.item !== item || old.place !== at) {
        row.style.setProperty("--at", String(at));
        row.setAttribute("aria-rowindex", String(at + 2));
      }
      this.#mark(row, item, at);
      if (!row.isConnected) this.#sizer.append(row);
      if (old?.item === item) before.delete(item.id);
      this.#rows.set(item.id, { item, row, place: at });
    }
    for (const { row } of before.values()) row.remove();
    if (this.#rows.has(this.active?.id)) this.#element.setAttribute("aria-activedescendant", `row-${this.active.at}`);
    else this.#element.removeAttribute("aria-activedescendant");
  }

  #mark(row, item, at) {
    const selected = this.#selected.has(item.id);
    if (row.getAttribute("aria-selected") !== String(selected)) {
      row.setAttribute("aria-selected", String(selected));
      row.querySelector("input").checked = selected;
    }
    row.classList.toggle("active", at === this.#active);
    const count = this.#counts.get(item.id) ?? 0;
    row.classList.toggle("begins", count > 0);
    row.querySelector(".times").textContent = count > 1 ? ` ×${count}` : "";
  }

  #row(item) {
    const cell = (name, ...children) => h("div", { role: "gridcell", class: `cell ${name}` }, ...children);
    const box = h("input", { type: "checkbox", tabindex: "-1", "aria-label": `Select title ${item.at + 1}` });
    return h(
      "div",
      { class: "grid-row", role: "row", id: `row-${item.at}`, "aria-selected": "false", data: { id: item.id, outcome: item.outcome } },
      cell("pick", box),
      cell("at", String(item.at + 1)),
      cell("title-cell", colouredTitle(item.answer)),
      cell("card-cell", h("span", { class: "dot", data: { outcome: item.chosen ? "match" : item.outcome } }), h("span", { class: "what" }, item.card, item.chosen && h("span", { class: "soft" }, " (chosen)")), h("span", { class: "times" })),
      cell("set", item.set),
      cell("grade", item.grade),
      cell("sure", item.answer.error || item.chosen ? "" : percent(item.sure)),
    );
  }

  #drawHead() {
    const all = h("input", { type: "checkbox", "aria-label": "Select all that are shown" });
    all.addEventListener("change", () => {
      for (const item of this.#shown) all.checked ? this.#selected.add(item.id) : this.#selected.delete(item.id);
      this.#plan();
      this.#onChange();
    });
    const heads = COLUMNS.map(({ id, head }) => {
      const { by, down } = this.#sort;
      const sorted = by === id ? (down ? "descending" : "ascending") : "none";
      const turn = () => {
        this.#sort = { by: id, down: by === id ? !down : id === "sure" };
        this.#drawHead();
        this.#scroller.scrollTop = 0;
        this.#active = 0;
        this.refine(this.#accepts);
        this.#head.querySelector(`[data-column="${id}"] button`).focus();
      };
      return h("div", { role: "columnheader", class: `cell ${id === "title" || id === "card" ? `${id}-cell` : id}`, "aria-sort": sorted, data: { column: id } }, h("button", { type: "button", onclick: turn }, head));
    });
    fill(this.#head, h("div", { role: "columnheader", class: "cell pick" }, all), heads);
  }

  #click(event) {
    const row = event.target.closest(".grid-row");
    const at = this.#shown.findIndex((item) => String(item.id) === row?.dataset.id);
    if (at < 0) return;
    this.#active = at;
    if (event.shiftKey) this.#range(at);
    else if (event.target.closest(".pick") || event.ctrlKey || event.metaKey) this.#toggle(at);
    else if (getSelection()?.isCollapsed) this.#onOpen(this.#shown[at]);
    this.#plan();
  }

  #toggle(at) {
    const { id } = this.#shown[at];
    if (!this.#selected.delete(id)) this.#selected.add(id);
    this.#anchor = at;
    this.#onChange();
  }

  #range(to) {
    const [first, last] = [Math.min(this.#anchor, to), Math.max(this.#anchor, to)];
    for (let at = first; at <= last; at += 1) this.#selected.add(this.#shown[at].id);
    this.#onChange();
  }

  #key(event) {
    if (event.target.closest(".grid-head") || event.altKey || this.#shown.length === 0) return;
    const page = Math.max(1, Math.floor(this.#room / this.#height) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps) {
      const to = Math.max(0, Math.min(this.#shown.length - 1, this.#active + steps[event.key]));
      if (event.shiftKey) this.#range(to);
      else this.#anchor = to;
      this.move(to);
    } else if (event.key === "Enter") this.#onOpen(this.active, true);
    else if (event.key === " ") this.#toggle(this.#active);
    else if (event.key === "a" && (event.ctrlKey || event.metaKey)) {
      for (const item of this.#shown) this.#selected.add(item.id);
      this.#onChange();
    } else return;
    event.preventDefault();
    this.#plan();
  }

  /** Makes the row at this place the active one, and brings it into view. */
  move(to) {
    this.#active = to;
    const { scrollTop } = this.#scroller;
    if (to * this.#height < scrollTop) this.#scroller.scrollTop = to * this.#height;
    else if ((to + 1) * this.#height > scrollTop + this.#room) this.#scroller.scrollTop = (to + 1) * this.#height - this.#room;
    this.#plan();
    this.#onOpen(this.active, false, true);
  }
}

/** The outcomes of items as counted choices, and the values of one of their fields, the commonest first. */
export function countsOf(items, field) {
  const counts = new Map();
  for (const item of items) if (item[field]) counts.set(item[field], (counts.get(item[field]) ?? 0) + 1);
  if (field === "outcome") return Object.keys(OUTCOMES).filter((type) => counts.has(type)).map((type) => [type, counts.get(type)]);
  return [...counts].sort((a, b) => b[1] - a[1] || collator.compare(a[0], b[0]));
}
