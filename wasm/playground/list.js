import { detail } from "./ui/detail.js";
import { fill, h } from "./ui/dom.js";
import { colouredTitle } from "./ui/title.js";
import { GROUPS, headline, OUTCOMES, percent } from "./ui/words.js";

/** Rows that are put into the document at once; the rest follow when the end of the list comes near. */
const PAGE = 100;

/** The answers as a list whose rows open. */
export class AnswerList {
  #list;
  #more;
  #filters;
  #answers = [];
  #shown = [];
  #filter;
  #rows = new Map();
  #built = 0;
  /** Tells when the end of the list comes near. */
  #end;

  constructor({ list, more, filters, legend }) {
    this.#list = list;
    this.#more = more;
    this.#filters = filters;
    more.addEventListener("click", () => this.#grow());
    this.#end = new IntersectionObserver((entries) => entries.at(-1).isIntersecting && this.#grow(), { rootMargin: "800px" });
    list.addEventListener("keydown", (event) => this.#key(event));
    fill(legend, Object.entries(GROUPS).map(([group, word]) => h("li", {}, h("span", { class: `mark of-${group}` }, word))));
    this.legend = legend;
  }

  /** Shows `answers`; a row whose title was there stays as it was, open or not. */
  show(answers) {
    this.#answers = answers;
    this.#drawFilters();
    this.#draw();
    this.legend.hidden = answers.length === 0;
    // a single title is what the visitor came for
    if (answers.length === 1) this.#rows.values().next().value?.open();
  }

  /** The answers that the filter lets through. */
  get shown() {
    return this.#shown;
  }

  focusFirst() {
    this.#list.querySelector(".toggle")?.focus();
  }

  #draw() {
    this.#shown = this.#filter ? this.#answers.filter((answer) => answer.outcome.type === this.#filter) : this.#answers;
    const before = this.#rows;
    const keep = Math.max(PAGE, Math.min(this.#built, this.#shown.length));
    this.#rows = new Map();
    this.#built = 0;
    const rows = this.#take(keep, before);
    this.#list.replaceChildren(...rows);
    this.#await();
  }

  #take(count, before = new Map()) {
    const part = this.#shown.slice(this.#built, this.#built + count);
    const rows = part.map((answer, at) => {
      let copy = 0;
      while (this.#rows.has(`${copy}:${answer.title}`)) copy += 1;
      const key = `${copy}:${answer.title}`;
      const old = before.get(key);
      const row = old?.answer === answer ? old : new Row(answer);
      row.place(this.#built + at);
      this.#rows.set(key, row);
      return row.element;
    });
    this.#built += part.length;
    return rows;
  }

  #grow() {
    if (this.#built >= this.#shown.length) return;
    this.#list.append(...this.#take(PAGE));
    this.#await();
  }

  /** Observed anew, for an end that is still near is no change of which an observer would tell. */
  #await() {
    this.#more.hidden = this.#built >= this.#shown.length;
    this.#end.unobserve(this.#more);
    this.#end.observe(this.#more);
  }

  #drawFilters() {
    const counts = new Map();
    for (const { outcome } of this.#answers) counts.set(outcome.type, (counts.get(outcome.type) ?? 0) + 1);
    if (!counts.has(this.#filter)) this.#filter = undefined;
    const buttons = Object.keys(OUTCOMES)
      .filter((type) => counts.has(type))
      .map((type) => {
        const choose = () => {
          this.#filter = this.#filter === type ? undefined : type;
          for (const button of this.#filters.children) button.setAttribute("aria-pressed", String(button.dataset.outcome === this.#filter));
          this.#draw();
        };
        return h("button", { type: "button", class: "filter", "aria-pressed": String(this.#filter === type), data: { outcome: type }, onclick: choose }, OUTCOMES[type], h("span", { class: "number" }, counts.get(type).toLocaleString("en-GB")));
      });
    fill(this.#filters, buttons);
    this.#filters.hidden = counts.size < 2;
  }

  #key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    const toggles = [...this.#list.querySelectorAll(".toggle")];
    const row = event.target.closest(".answer");
    const at = toggles.findIndex((toggle) => row?.contains(toggle));
    const next = toggles[at + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }
}

let rows = 0;

/** One answer: a line, and its details once it was opened. */
class Row {
  constructor(answer) {
    this.answer = answer;
    this.id = `answer-${++rows}`;
    const { outcome, matches, error } = answer;
    const sure = outcome.type === "match" && matches[0] ? matches[0].confidence : outcome.confidence;
    this.number = h("span", { class: "number", "aria-hidden": "true" });
    this.toggle = h(
      "button",
      { type: "button", class: "toggle", "aria-expanded": "false", "aria-controls": this.id, onclick: () => this.flip(), data: { outcome: error ? "error" : outcome.type } },
      h("span", { class: "what" }, headline(answer)),
      !error && h("span", { class: "sure" }, percent(sure)),
    );
    this.panel = h("div", { id: this.id, hidden: true });
    this.line = h("p", { class: "line", onclick: () => getSelection()?.isCollapsed && this.flip() }, colouredTitle(answer));
    this.element = h("li", { class: "answer" }, h("div", { class: "head" }, this.number, this.line, this.toggle), this.panel);
  }

  place(at) {
    this.number.textContent = String(at + 1);
  }

  flip() {
    if (this.panel.hidden) this.open();
    else this.close();
  }

  open() {
    if (this.panel.childElementCount === 0) this.panel.append(detail(this.answer, { id: this.id }));
    this.#set(true);
  }

  close() {
    this.#set(false);
  }

  #set(open) {
    this.panel.hidden = !open;
    this.element.classList.toggle("open", open);
    this.toggle.setAttribute("aria-expanded", String(open));
    fill(this.line, colouredTitle(this.answer, { labels: open }));
  }
}
