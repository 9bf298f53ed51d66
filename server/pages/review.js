// The review of sold listings, by an administrator's key. The key is kept by this page and nowhere else: it opens every account. All that
// comes from the service is shown as text, never as markup.

import { ask as send, at, doing as run, element, say } from "./ask.js";
import { fault } from "./key.js";
import { coloured, evidenceOf, matchOf } from "./reading.js";

const PAGE = 20;
const FILTERS = ["search", "reason", "kind", "set", "minPrice", "maxPrice", "minConfidence", "maxConfidence"];
let key = "";
let last = 0;
let open = 0;
let shown = "";
let snapshot = { count: 0, id: "" };
/** What was decided, the latest last: the number of its change, once the service has said it, and how its listing is put back. */
let decisions = [];
/** How many were decided by keys and buttons and not put back: those since a request are not in its answer. */
let decided = 0;
/** The page of listings that is on its way. */
let coming;
/** What the keys do with each listing. */
const deeds = new WeakMap();
/** With fewer listings left the next ones are asked for. */
const FEW = 5;
/** Milliseconds after the last letter before a search is sent. */
const PAUSE = 250;

const ask = (method, path, body) => send(key, method, `/api/admin/review${path}`, body);
const doing = (button, work) => run(button, leave, work);

/** `GRADER_A_9_5` as a company and what its label says, and back. */
const graders = at("queue").dataset.graders.split(",");
const LETTERS = ["A", "B", "C", "D"];

function gradeOf(code) {
  const [, letter, value] = /^GRADER_([A-D])_(.+)$/.exec(code ?? "") ?? [];
  return { grader: letter ? graders[LETTERS.indexOf(letter)] : "", value: value ? value.replace("_", ".") : "" };
}

function codeOf(grader, value) {
  if (!grader) return "";
  return `GRADER_${LETTERS[graders.indexOf(grader)]}_${value.trim().toUpperCase().replace(".", "_")}`;
}

/** `$20.50`, and yen without a fraction. */
function money({ price, currency }) {
  return new Intl.NumberFormat("en-US", { style: "currency", currency }).format(price);
}

/** A probability, where there is one. */
function sure(confidence) {
  return typeof confidence === "number" ? `${(confidence * 100).toFixed(1)}%` : "";
}

function labelled(label, input) {
  const made = element("label", label);
  made.append(input);
  return made;
}

function field(value) {
  const input = document.createElement("input");
  input.value = value;
  input.autocomplete = "off";
  return input;
}

function chooser(values, chosen) {
  const made = document.createElement("select");
  for (const [value, word] of values) {
    const option = element("option", word);
    option.value = value;
    option.selected = value === chosen;
    made.append(option);
  }
  return made;
}

function count() {
  at("count").textContent = open === 0 ? "Nothing to review" : `${open.toLocaleString("en-GB")} to review`;
  for (const [id, word] of [["accept-all", "Accept"], ["reject-all", "Reject"]]) {
    at(id).textContent = `${word} all ${snapshot.count.toLocaleString("en-GB")} that fit`;
    at(id).hidden = snapshot.count === 0;
    delete at(id).dataset.sure;
  }
  at("undo").hidden = decisions.length === 0;
  at("undo").textContent = "Undo the last decision";
}

/** What the form says, as the parameters of a request. */
function filter() {
  const chosen = FILTERS.map((name) => [name, at(name).value.trim()]).filter(([, value]) => value !== "");
  return new URLSearchParams(chosen).toString();
}

/** The listings from the first on. */
async function fresh() {
  await coming?.catch(() => {});
  last = 0;
  at("listings").replaceChildren();
  await page();
}

/** A printing as a button: its picture, where there is one, and what it is called. */
function printing({ marketplaceId, name, cardNumber, setName, printing, image }, before, after) {
  const button = element("button", "");
  button.type = "button";
  button.value = marketplaceId;
  if (before) button.append(element("kbd", before));
  if (image) {
    const picture = document.createElement("img");
    Object.assign(picture, { src: image, alt: "", width: 40, height: 56, loading: "lazy", decoding: "async", referrerPolicy: "no-referrer" });
    picture.addEventListener("error", () => picture.remove());
    button.append(picture);
  }
  button.append(element("span", [name, cardNumber, setName, printing].filter(Boolean).join(" · "), "name"));
  if (after) button.append(element("span", after, "soft"));
  return button;
}

/** A search for another printing; `choose` hears of the one that is picked. */
function finder(of, choose) {
  const words = field("");
  words.type = "search";
  words.placeholder = "Umbreon VMAX 215, 151 Charizard…";
  const found = element("ul", "", "found");
  const note = element("p", "", "said");
  note.setAttribute("role", "status");
  let [timer, turn] = [0, 0];
  const search = async () => {
    clearTimeout(timer);
    const [mine, text] = [(turn += 1), words.value.trim()];
    if (!text) return found.replaceChildren();
    try {
      const { data } = await send(key, "GET", `/api/admin/cards?${new URLSearchParams({ search: text })}`);
      // an answer that a later search has overtaken is not shown
      if (mine !== turn) return undefined;
      note.textContent = data.length === 0 ? "No card matches. Try fewer words." : "";
      found.replaceChildren(...data.map((one) => {
        const item = document.createElement("li");
        const button = printing(one);
        button.addEventListener("click", () => choose(one.marketplaceId));
        item.append(button);
        return item;
      }));
    } catch (error) {
      note.textContent = error.message;
    }
    return undefined;
  };
  words.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, PAUSE);
  });
  words.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    void search();
  });
  words.setAttribute("aria-label", `Find another card for ${of.title}`);
  return [labelled("Name, number or set", words), note, found];
}

/** What a listing may be accepted as by a key: a sealed product that was guessed, then cards. */
function offers({ product, marketplaceId, confidence, candidates }) {
  const sealed = product ? [{ marketplaceId, name: product, confidence }] : [];
  return [...sealed, ...candidates].slice(0, 5);
}

/** A listing with its candidates and what may be done with it. */
function listing(of) {
  const panel = element("article", "", "panel listing");
  panel.tabIndex = -1;
  panel.dataset.id = of.id;
  const title = element("h3", of.title);
  panel.append(title, element("p", `${money(of)}, ${of.date}: ${of.reason.replaceAll("_", " ")}`, "soft"));
  const refusal = element("p", "", "said bad");
  panel.append(refusal);
  const chosen = field(of.marketplaceId ?? of.candidates[0]?.marketplaceId ?? "");
  const { grader, value } = gradeOf(of.grade);
  const company = chooser([["", "not graded"], ...graders.map((name) => [name, name])], grader);
  const graded = field(value);
  const list = document.createElement("ol");
  const why = element("details", "", "why");
  let answer;
  const explain = () => {
    if (!answer || !why.open) return;
    const match = matchOf(answer, chosen.value.trim());
    why.replaceChildren(why.firstChild, match ? evidenceOf(match) : element("p", "The title, as it is read now, does not speak of this card."));
  };
  const mark = () => {
    for (const button of panel.querySelectorAll("ol button, .found button")) button.setAttribute("aria-pressed", String(button.value === chosen.value.trim()));
    explain();
  };
  const choose = (marketplaceId) => {
    chosen.value = marketplaceId;
    mark();
  };
  /** Colours the title and has the evidence ready, once somebody looks at the listing. */
  const read = async () => {
    if (answer) return;
    answer = { matches: [] };
    const { data } = await ask("GET", `/${of.id}/reading`);
    answer = data;
    title.replaceChildren(...coloured(of.title, data.parsed));
    explain();
  };
  why.append(element("summary", "Why?"));
  why.addEventListener("toggle", () => explain());
  const offered = offers(of);
  offered.forEach((candidate, place) => {
    const button = printing(candidate, String(place + 1), sure(candidate.confidence));
    button.addEventListener("click", () => choose(candidate.marketplaceId));
    const item = document.createElement("li");
    item.append(button);
    list.append(item);
  });
  chosen.addEventListener("input", mark);
  const form = document.createElement("form");
  const row = element("div", "", "row");
  const [accept, reject] = [element("button", "Accept", "main"), element("button", "Reject", "bad")];
  accept.setAttribute("aria-label", `Accept ${of.title}`);
  reject.setAttribute("aria-label", `Reject ${of.title}`);
  reject.type = "button";
  row.append(labelled("Graded by", company), labelled("Grade", graded), accept, reject);
  const other = element("details", "");
  other.append(element("summary", "Another card"), ...finder(of, choose), labelled("Its marketplaceId", chosen));
  other.open = offered.length === 0;
  form.append(other, row);
  /** Puts the listing back to its place: they are in the order of their numbers. */
  const putBack = () => {
    const later = [...at("listings").children].find((other) => Number(other.dataset.id) > of.id);
    at("listings").insertBefore(panel, later ?? null);
    open += 1;
    decided -= 1;
    count();
    activate(panel);
  };
  /** Goes on to the next listing at once; what the service refuses comes back with its reason. */
  const decide = (word, path, body) => {
    if (!panel.isConnected) return;
    const next = panel.nextElementSibling ?? panel.previousElementSibling;
    panel.remove();
    activate(next);
    open -= 1;
    decided += 1;
    // what is left is another snapshot
    snapshot = { count: 0, id: "" };
    const decision = { back: putBack, change: ask("POST", `/${of.id}/${path}`, body).then(({ data }) => data.change) };
    decisions.push(decision);
    count();
    refusal.textContent = "";
    decision.change.then(() => say(`${word}: ${of.title}`), (error) => {
      decisions = decisions.filter((other) => other !== decision);
      if (error.status === 401 || key === "") leave();
      else decision.back();
      // on the listing, too: what is said of the next ones takes the place of what is said of this
      refusal.textContent = error.message;
      say(error.message, true);
    });
    if (at("listings").childElementCount < FEW && !at("more").hidden) page().catch((error) => say(error.message, true));
  };
  const take = () => {
    const body = { marketplaceId: chosen.value.trim(), grade: codeOf(company.value, graded.value) };
    // what was read stays where it was not altered: the grade of a company that is not tracked is no key
    if (company.value === grader && graded.value === value) delete body.grade;
    decide("Accepted", "accept", body);
  };
  const refuse = () => decide("Rejected", "reject");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    take();
  });
  reject.addEventListener("click", refuse);
  panel.addEventListener("focusin", () => activate(panel, false));
  deeds.set(panel, {
    accept: take,
    reject: refuse,
    // what cannot be read is shown without colours
    read: () => read().catch(() => {}),
    why: () => (why.open = !why.open),
    candidate: (place) => {
      const candidate = offered[place];
      if (!candidate) return;
      choose(candidate.marketplaceId);
      take();
    },
  });
  if (offered.length > 0) panel.append(list);
  // the evidence is of cards
  if (of.candidates.length > 0) panel.append(why);
  panel.append(form);
  mark();
  return panel;
}

/** Makes a listing the one that keys act on. */
function activate(panel, focus = true) {
  for (const other of at("listings").querySelectorAll(".active")) if (other !== panel) other.classList.remove("active");
  if (!panel) return;
  panel.classList.add("active");
  // the next one too, so that it has its colours when its turn comes
  for (const near of [panel, panel.nextElementSibling]) deeds.get(near)?.read();
  if (focus) {
    panel.focus({ preventScroll: true });
    panel.scrollIntoView({ block: "nearest" });
  }
}

document.addEventListener("keydown", (event) => {
  if (at("queue").hidden || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, summary")) return;
  const panel = at("listings").querySelector(".active") ?? at("listings").firstElementChild;
  const deed = deeds.get(panel);
  const key = event.key.toLowerCase();
  if (key === "u") at("undo").click();
  else if (!deed) return;
  else if (/^[1-5]$/.test(key)) deed.candidate(Number(key) - 1);
  else if (key === "r") deed.reject();
  else if (key === "w") deed.why();
  else if (key === "enter" && event.target.localName !== "button") deed.accept();
  else if (key === "s" || key === "arrowdown") {
    if (panel.nextElementSibling) activate(panel.nextElementSibling);
    else if (!at("more").hidden) at("more").click();
  } else if (key === "arrowup") activate(panel.previousElementSibling ?? panel);
  else return;
  event.preventDefault();
});

at("one").addEventListener("click", () => {
  const one = at("listings").classList.toggle("one");
  at("one").setAttribute("aria-pressed", String(one));
  activate(at("listings").querySelector(".active") ?? at("listings").firstElementChild);
});

/** The next listings; asked for twice, they come once. */
function page() {
  coming ??= next().finally(() => (coming = undefined));
  return coming;
}

async function next() {
  // so that none of them is counted or shown again
  await Promise.allSettled(decisions.map(({ change }) => change));
  if (last === 0) shown = filter();
  const before = decided;
  const answer = await ask("GET", `?${shown}&limit=${PAGE}&after=${last}`);
  const { data, total } = answer;
  const held = new Set([...at("listings").children].map((panel) => panel.dataset.id));
  const added = data.filter(({ id }) => !held.has(String(id))).map(listing);
  const since = decided - before;
  open = total - since;
  snapshot = since === 0 ? answer.snapshot : { count: 0, id: "" };
  count();
  at("listings").append(...added);
  if (!at("listings").querySelector(".active")) activate(at("listings").firstElementChild, held.size > 0);
  last = data.at(-1)?.id ?? last;
  at("more").hidden = data.length < PAGE;
  at("enter").hidden = true;
  at("queue").hidden = false;
}

function leave() {
  key = "";
  [last, open, decisions] = [0, 0, []];
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
    if (data.change) decisions.push({ change: Promise.resolve(data.change) });
    await fresh();
    const left = data.skipped ? `, ${data.skipped.toLocaleString("en-GB")} without a guess left` : "";
    say(`${data.decided.toLocaleString("en-GB")} ${word}ed${left}`);
  }));
}

at("undo").addEventListener("click", () => doing(at("undo"), async () => {
  const decision = decisions.at(-1);
  await send(key, "POST", `/api/admin/changes/${await decision.change}/undo`);
  decisions = decisions.filter((other) => other !== decision);
  if (decision.back) decision.back();
  else await fresh();
  say(`The last decision is undone: ${decision.back ? "its listing waits" : "its listings wait"} again`);
}));

at("more").addEventListener("click", () => doing(at("more"), async () => {
  const before = at("listings").lastElementChild;
  await page();
  activate(before?.nextElementSibling ?? at("listings").firstElementChild);
}));
at("leave").addEventListener("click", () => {
  leave();
  say("");
});
