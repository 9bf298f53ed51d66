// The review of sold listings, by an administrator's key. The key is kept by this page and nowhere else: it opens every account. All that
// comes from the service is shown as text, never as markup.

import { ask as send, at, doing as run, element, say } from "./ask.js";
import { fault } from "./key.js";

const PAGE = 20;
const FILTERS = ["reason", "kind", "set", "minPrice", "maxPrice", "minConfidence", "maxConfidence"];
let key = "";
let last = 0;
let open = 0;
let shown = "";
let snapshot = { count: 0, id: "" };
let decision = null;

const ask = (method, path, body) => send(key, method, `/api/admin/review${path}`, body);
const doing = (button, work) => run(button, leave, work);

function field(label, value) {
  const made = element("label", label);
  const input = document.createElement("input");
  input.value = value;
  input.autocomplete = "off";
  made.append(input);
  return [made, input];
}

function count() {
  at("count").textContent = open === 0 ? "Nothing to review" : `${open.toLocaleString("en-GB")} to review`;
  for (const [id, word] of [["accept-all", "Accept"], ["reject-all", "Reject"]]) {
    at(id).textContent = `${word} all ${snapshot.count.toLocaleString("en-GB")} that fit`;
    at(id).hidden = snapshot.count === 0;
    delete at(id).dataset.sure;
  }
  at("undo").hidden = decision === null;
  at("undo").textContent = `Undo the last decision (change ${decision})`;
}

/** What the form says, as the parameters of a request. */
function filter() {
  const chosen = FILTERS.map((name) => [name, at(name).value.trim()]).filter(([, value]) => value !== "");
  return new URLSearchParams(chosen).toString();
}

/** The listings from the first on. */
async function fresh() {
  last = 0;
  at("listings").replaceChildren();
  await page();
}

/** A listing with its candidates and what may be done with it. */
function listing(of) {
  const panel = element("article", "", "panel listing");
  panel.append(element("h3", of.title), element("p", `${of.price} ${of.currency}, ${of.date}: ${of.reason.replaceAll("_", " ")}`, "quiet"));
  const [card, chosen] = field("Card (its marketplaceId)", of.marketplaceId ?? of.candidates[0]?.marketplaceId ?? "");
  const [grade, graded] = field("Grade (empty for a raw card)", of.grade ?? "");
  const list = document.createElement("ul");
  for (const candidate of of.candidates) {
    const button = element("button", `${candidate.name} ${candidate.cardNumber}, ${candidate.setName}`, "plain small");
    button.type = "button";
    button.addEventListener("click", () => {
      chosen.value = candidate.marketplaceId;
    });
    const item = document.createElement("li");
    item.append(button, element("span", ` ${(candidate.confidence * 100).toFixed(1)}%`, "quiet"));
    list.append(item);
  }
  const form = document.createElement("form");
  const row = element("div", "", "row");
  const [accept, reject] = [element("button", "Accept"), element("button", "Reject", "bad")];
  accept.setAttribute("aria-label", `Accept ${of.title}`);
  reject.setAttribute("aria-label", `Reject ${of.title}`);
  reject.type = "button";
  row.append(card, grade, accept, reject);
  form.append(row);
  const done = (word, { data }) => {
    panel.remove();
    open -= 1;
    decision = data.change;
    // what is left is another snapshot
    snapshot = { count: 0, id: "" };
    count();
    say(`${word}: ${of.title}`);
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    doing(accept, async () => {
      const body = { marketplaceId: chosen.value.trim(), grade: graded.value.trim() };
      // what was read stays where it was not altered: the grade of a company that is not tracked is no key
      if (body.grade === (of.grade ?? "")) delete body.grade;
      done("Accepted", await ask("POST", `/${of.id}/accept`, body));
    });
  });
  reject.addEventListener("click", () => doing(reject, async () => {
    done("Rejected", await ask("POST", `/${of.id}/reject`));
  }));
  if (of.candidates.length > 0) panel.append(list);
  panel.append(form);
  return panel;
}

async function page() {
  if (last === 0) shown = filter();
  const answer = await ask("GET", `?${shown}&limit=${PAGE}&after=${last}`);
  const { data, total } = answer;
  open = total;
  snapshot = answer.snapshot;
  count();
  at("listings").append(...data.map(listing));
  last = data.at(-1)?.id ?? last;
  at("more").hidden = data.length < PAGE;
  at("enter").hidden = true;
  at("queue").hidden = false;
}

function leave() {
  key = "";
  [last, open, decision] = [0, 0, null];
  at("listings").replaceChildren();
  at("key").value = "";
  at("queue").hidden = true;
  at("enter").hidden = false;
  at("key").focus();
}

at("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  key = at("key").value.trim();
  if (fault(key)) return say(fault(key), true);
  doing(event.submitter ?? at("enter").querySelector("button"), async () => {
    await page();
    at("key").value = "";
  });
});

at("filter").addEventListener("submit", (event) => {
  event.preventDefault();
  doing(event.submitter ?? at("filter").querySelector("button"), fresh);
});

for (const word of ["accept", "reject"]) {
  const button = at(`${word}-all`);
  button.addEventListener("click", () => doing(button, async () => {
    if (button.dataset.sure !== snapshot.id) {
      button.dataset.sure = snapshot.id;
      button.textContent = `Press again to ${word} all ${snapshot.count.toLocaleString("en-GB")}`;
      return;
    }
    const { data } = await ask("POST", `/${word}?${shown}`, { snapshot: snapshot.id });
    decision = data.change ?? decision;
    await fresh();
    const left = data.skipped ? `, ${data.skipped.toLocaleString("en-GB")} without a guess left` : "";
    say(`${data.decided.toLocaleString("en-GB")} ${word}ed${left}`);
  }));
}

at("undo").addEventListener("click", () => doing(at("undo"), async () => {
  const undone = decision;
  await send(key, "POST", `/api/admin/changes/${undone}/undo`);
  decision = null;
  await fresh();
  say(`Change ${undone} is undone: its listings wait again`);
}));

at("more").addEventListener("click", () => doing(at("more"), page));
at("leave").addEventListener("click", () => {
  leave();
  say("");
});
