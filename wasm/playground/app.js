import { EXAMPLES } from "./examples.js";
import { toCsv, toJson, toParquet } from "./export.js";
import { besides, titlesOf } from "./files.js";
import { finder } from "./find.js";
import { follow } from "./follow.js";
import { countsOf, Grid, itemOf } from "./grid.js";
import { fromFragment, gamesOf, toFragment, withGames } from "./permalink.js";
import { Reader } from "./reader.js";
import { detail } from "./ui/detail.js";
import { fill, h } from "./ui/dom.js";
import { GAMES } from "./ui/games.js";
import { shops } from "./ui/shops.js";
import { colouredTitle } from "./ui/title.js";
import { gameWord, listed, OUTCOMES } from "./ui/words.js";

const PAUSE = 60;
/** From so many titles on the field is folded away once nobody types in it. */
const MANY = 8;
/** A file of more bytes than this is not one of titles. */
const LARGEST = 64e6;
/** A text longer than this is not packed into a link at every keystroke. */
const LINKED = 400_000;
const at = (id) => document.getElementById(id);
const input = at("titles");
const status = at("status");

// With trusted types no text of a title can become markup or script, whatever the code does: the one policy lets own scripts be workers.
globalThis.trustedTypes?.createPolicy("default", {
  createScriptURL: (address) => {
    if (new URL(address, location.href).origin === location.origin) return address;
    throw new TypeError("only this page's own scripts are run");
  },
});

const [FIRST] = GAMES;

let reader;
let loading;
/** The games whose cards are read, in the order of `GAMES`. */
let games = [FIRST];
let turn = 0;
let waiting;
let link = "";
let stores = [];
/** The title that was opened, by its id, which follows it through edits. */
let opened;
let items = [];
/** Whether the field has another text, rather than the same one edited, since `items` were read. */
let replaced = false;
/** What a file had beside its titles, by title in the order of the file. */
let carried = new Map();
/** What there is to say of the file whose titles stand in the field. */
let remark = "";
/** Cards chosen by hand, by title. */
const choices = new Map();
const grid = new Grid(at("grid"), { onOpen: open, onChange: changed });

/** The games of `wanted` that have cards here, or the first game if none of them has. */
function known(wanted) {
  const held = GAMES.filter((game) => wanted.includes(game));
  return held.length > 0 ? held : [FIRST];
}

/** Reads cards of these games from now on; they are kept for the next visit. */
function choose(wanted) {
  games = known(wanted);
  keep("games", games.join(" "));
  drawGames();
  void load();
}

function drawGames() {
  at("games").querySelector("summary").textContent = games.length > 2 ? `${games.length} games` : listed(games.map(gameWord));
  for (const box of at("games-list").querySelectorAll("input")) box.checked = games.includes(box.value);
}

/** Keeps a choice for the next visit. */
function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // storage is refused: the choice holds for this visit
  }
}

function kept(name) {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

/** Loads a catalogue, then reads what stands in the field. */
async function load() {
  loading?.abort();
  const now = (loading = new AbortController());
  at("failure").hidden = true;
  at("loading").hidden = false;
  const parts = { module: { loaded: 0 }, catalogue: { loaded: 0 } };
  const bar = at("progress");
  bar.removeAttribute("value");
  const onProgress = ({ part, loaded, total }) => {
    parts[part] = { loaded, total };
    const sum = parts.module.loaded + parts.catalogue.loaded;
    const all = parts.module.total + parts.catalogue.total;
    if (all > 0) bar.value = sum / all;
    at("progress-label").textContent = `Loading the reader and its catalogue: ${(sum / 1e6).toFixed(1)}${all > 0 ? ` of ${(all / 1e6).toFixed(1)}` : ""} MB`;
  };
  // asked for beside the reader, so that no answer waits for it
  const asked = shops().catch(() => []);
  try {
    const next = await Reader.load(games, at("catalogue").value, { onProgress, signal: now.signal });
    if (now.signal.aborted) return next.free();
    reader?.free();
    reader = next;
    stores = await asked;
    const info = await reader.info();
    at("catalogue-info").textContent = `The catalogue has ${info.cards.toLocaleString("en-GB")} cards in ${info.sets.toLocaleString("en-GB")} sets.`;
    at("loading").hidden = true;
    await read();
  } catch (error) {
    if (now.signal.aborted) return;
    at("loading").hidden = true;
    at("failure-text").textContent = `The reader could not be loaded: ${error.message}`;
    at("failure").hidden = false;
  }
}

/** Reads what stands in the field and shows the answers, unless it has changed meanwhile. */
async function read() {
  const mine = ++turn;
  const titles = input.value.split(/\r\n|\r|\n/).filter((line) => line.trim() !== "");
  layOut(titles.length);
  void keepLink();
  if (!reader) return;
  const from = performance.now();
  const seen = new Map();
  const item = (id, title, place, answer) => {
    const copy = seen.get(title) ?? 0;
    seen.set(title, copy + 1);
    const old = items[place];
    const [row, chosen] = [carried.get(title)?.[copy], choices.get(title)];
    const same = old?.id === id && old.answer === answer && old.row === row && old.chosen === chosen;
    return same ? old : itemOf({ id, at: place, title, answer, row, chosen, several: games.length > 1 });
  };
  try {
    const answers = await reader.read(titles, {
      isStale: () => mine !== turn,
      onPart: (done, all) => {
        if (done < all) status.textContent = `${done.toLocaleString("en-GB")} of ${counted(all)} read`;
      },
    });
    if (!answers || mine !== turn) return;
    const ids = follow(replaced ? [] : items, titles);
    items = titles.map((title, place) => item(ids[place], title, place, answers[place]));
    replaced = false;
    show();
    const done = titles.length === 0 ? "" : `${counted(titles.length)} read in ${duration(performance.now() - from)}`;
    status.textContent = [done, remark].filter(Boolean).join("; ");
  } catch (error) {
    if (mine === turn) status.textContent = `The titles could not be read: ${error.message}`;
  }
}

function duration(milliseconds) {
  return milliseconds < 1000 ? `${Math.max(1, Math.round(milliseconds))} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function counted(number) {
  return number === 1 ? "1 title" : `${number.toLocaleString("en-GB")} titles`;
}

/** One title gets a large answer, more a table. */
function layOut(count) {
  document.body.dataset.view = count === 0 ? "empty" : count === 1 ? "single" : "many";
  at("empty").hidden = count > 0;
  at("single").hidden = count !== 1;
  at("many").hidden = count < 2;
  at("count").hidden = count < 2;
  at("count").textContent = counted(count);
  for (const id of ["clear", "export"]) at(id).hidden = count === 0;
  if (count < MANY) fold(false);
  else if (document.activeElement !== input) fold(true);
}

function fold(folded) {
  at("field").hidden = folded;
  at("edit").hidden = !folded;
}

function show() {
  if (items.length === 1) drawSingle();
  grid.show(items.length > 1 ? items : []);
  drawFilters();
  drawOffers();
  const item = items.find(({ id }) => id === opened);
  if (items.length > 1 && item) drawPanel(item);
  else close();
}

/** Offers the cards of games that titles are of and that are not read. */
function drawOffers() {
  const counts = new Map();
  for (const { answer } of items) {
    const { game } = answer.parsed;
    if (answer.outcome.type === "other_game" && GAMES.includes(game) && !games.includes(game)) counts.set(game, (counts.get(game) ?? 0) + 1);
  }
  const offers = [...counts].sort((a, b) => b[1] - a[1]).map(([game, count]) => {
    const looks = items.length === 1 ? "This looks" : count === 1 ? "1 title looks" : `${count.toLocaleString("en-GB")} titles look`;
    return h("button", { type: "button", class: "offer", data: { game }, onclick: () => choose([...games, game]) }, `${looks} like ${gameWord(game)}: load its cards`);
  });
  fill(at("offers"), offers);
  at("offers").hidden = offers.length === 0;
}

function drawSingle() {
  const [item] = items;
  fill(at("single"), answerOf(item, "single-answer", "h2"));
}

/** The answer of an item, with what is needed to choose another card. */
function answerOf(item, id, level) {
  const onChoose = (match) => {
    if (match) choices.set(item.title, match);
    else choices.delete(item.title);
    void read();
  };
  const view = detail(item.answer, { id, level, shops: stores, pictures: at("pictures").checked, chosen: item.chosen, onChoose, several: games.length > 1 });
  const find = finder({ id: `${id}-find`, games, read: (titles, options) => (titles.length > 0 ? reader.ask(titles, options) : []), onChoose });
  view.insertBefore(h("details", { class: "others" }, h("summary", {}, "Find another card"), find), view.lastElementChild);
  view.firstElementChild.after(h("p", { class: "line" }, colouredTitle(item.answer, { labels: true })));
  if (item.chosen) view.firstElementChild.append(h("button", { type: "button", class: "undo", onclick: () => onChoose(undefined) }, "Take the choice back"));
  return view;
}

let drawn;

function drawPanel(item) {
  // a title that has moved shows what it showed
  if (drawn?.answer === item.answer && drawn.chosen === item.chosen && !at("panel").hidden) return;
  drawn = item;
  const shut = h("button", { type: "button", class: "quiet shut", "aria-label": "Close the answer", onclick: () => (close(), grid.focus()) }, "×");
  fill(at("panel"), shut, answerOf(item, "panel-answer", "h2"));
  at("panel").hidden = false;
  at("many").classList.add("opened");
  at("panel").scrollTop = 0;
}

/** Opens an item beside the table; moving along the rows alters only what is open. */
function open(item, byKey = false, moved = false) {
  if (!item || (moved && at("panel").hidden)) return;
  opened = item.id;
  drawPanel(item);
  if (byKey) at("panel").querySelector(".shut").focus();
}

function close() {
  drawn = undefined;
  opened = undefined;
  at("panel").hidden = true;
  at("many").classList.remove("opened");
  fill(at("panel"));
}

/** Whom the filters let through. */
let outcome = "";

function refine() {
  const words = at("words").value.toLowerCase().split(/\s+/).filter(Boolean);
  const [set, grade, sure] = ["set", "grade", "sure"].map((id) => at(id).value);
  const [least, most] = sure ? sure.split("-").map(Number) : [0, 2];
  // the upper bound of the highest band is its own
  const within = (value) => value >= least && (value < most || most === 1);
  grid.refine((item) => (!outcome || item.outcome === outcome) && (!set || item.set === set) && (!grade || item.grade === grade) && within(item.sure) && words.every((word) => item.text.includes(word)));
}

function drawFilters() {
  const outcomes = countsOf(items, "outcome");
  if (!outcomes.some(([type]) => type === outcome)) outcome = "";
  const press = (type) => {
    outcome = outcome === type ? "" : type;
    for (const button of at("outcomes").children) button.setAttribute("aria-pressed", String(button.dataset.outcome === outcome));
    refine();
  };
  fill(at("outcomes"), outcomes.map(([type, count]) => h(
    "button",
    { type: "button", class: "filter", "aria-pressed": String(outcome === type), data: { outcome: type }, onclick: () => press(type) },
    h("span", { class: "dot", data: { outcome: type } }), OUTCOMES[type] ?? type, h("span", { class: "count" }, count.toLocaleString("en-GB")),
  )));
  for (const [id, all] of [["set", "All sets"], ["grade", "All grades"]]) {
    const before = at(id).value;
    const options = countsOf(items, id).map(([value, count]) => h("option", { value }, `${value} (${count.toLocaleString("en-GB")})`));
    fill(at(id), h("option", { value: "" }, all), options);
    at(id).value = before;
    if (at(id).selectedIndex < 0) at(id).selectedIndex = 0;
  }
  refine();
}

function changed() {
  const { length } = grid.selected;
  const shown = grid.shown.length;
  at("selected").textContent = length > 0 ? `${length.toLocaleString("en-GB")} selected` : shown < items.length ? `${shown.toLocaleString("en-GB")} of ${counted(items.length)}` : counted(items.length);
  at("export").querySelector("summary").textContent = length > 0 ? `Export ${length.toLocaleString("en-GB")}` : "Export";
}

/** What is exported: the selected rows, else all that are shown. */
function exported() {
  if (items.length === 1) return items;
  return grid.selected.length > 0 ? grid.selected : grid.shown;
}

async function keepLink() {
  const text = input.value;
  const titles = text.length > LINKED ? undefined : await toFragment(text);
  if (text !== input.value) return;
  const fragment = games.length === 1 && games[0] === FIRST ? titles : withGames(titles, games);
  link = fragment;
  const address = new URL(location.href);
  address.hash = fragment ?? "";
  if (address.href !== location.href) history.replaceState(null, "", address.hash === "" ? address.href.replace(/#$/, "") : address.href);
  at("copy-link").disabled = fragment === undefined;
  at("copy-link").title = fragment === undefined ? "Too many titles for a link" : "";
}

async function openLink() {
  if (location.hash === (link ?? "")) return;
  const text = await fromFragment(location.hash);
  if (text === undefined) return;
  if (followGames()) void load();
  write(text);
}

/** Reads the games that the address names, for this visit; tells whether they are others than before. */
function followGames() {
  const named = gamesOf(location.hash);
  if (named.length === 0 || known(named).join() === games.join()) return false;
  games = known(named);
  drawGames();
  return true;
}

/** Puts another text into the field. */
function write(text, { beside = new Map(), said = "" } = {}) {
  carried = beside;
  remark = said;
  status.textContent = said;
  input.value = text;
  replaced = true;
  leave();
}

/** Leaves the field and reads what is in it. */
function leave() {
  size();
  if (document.activeElement === input) input.blur();
  void read();
}

/** The field is as high as its titles, up to eight. */
function size() {
  input.rows = Math.min(8, Math.max(3, input.value.split("\n", 9).length));
  input.scrollTop = 0;
}

async function openFile(file) {
  if (!file) return;
  if (file.size > LARGEST) {
    status.textContent = `${file.name} has more than ${LARGEST / 1e6} MB: split it first`;
    return;
  }
  let bytes;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    // a folder that was dropped, or a file that is gone
    status.textContent = `${file.name} could not be read: ${error.message}`;
    return;
  }
  let text;
  try {
    const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    text = new TextDecoder(wide ? (bytes[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8", { fatal: true }).decode(bytes);
  } catch {
    status.textContent = `${file.name} is not text in UTF-8 or UTF-16: save it as CSV (UTF-8)`;
    return;
  }
  const { titles, rows, longer } = titlesOf(text, file.name);
  choices.clear();
  write(titles.join("\n"), { beside: besides(titles, rows), said: titles.length === 0 ? `${file.name} has no titles` : longer > 0 ? tooLong(longer, file.name) : "" });
}

function tooLong(rows, name) {
  const [have, them] = rows === 1 ? ["1 row has", "it"] : [`${rows.toLocaleString("en-GB")} rows have`, "them"];
  return `${have} more cells than the first of ${name}: a title in ${them} may be cut short`;
}

async function copy(button, text) {
  const words = button.textContent;
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    done = byHand(text);
  }
  button.textContent = done ? "Copied" : "Not allowed";
  status.textContent = done ? `${words}: done` : "The browser does not allow this page to copy";
  setTimeout(() => (button.textContent = words), 1500);
}

/** For pages that are not served securely, which have no clipboard. */
function byHand(text) {
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

function save(text, name, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

input.addEventListener("input", () => {
  remark = "";
  size();
  clearTimeout(waiting);
  waiting = setTimeout(read, PAUSE);
});
// a pasted list is read, not edited
input.addEventListener("paste", () => setTimeout(() => {
  if (input.value.split("\n", MANY + 1).length > MANY) leave();
}));
document.addEventListener("keydown", (event) => {
  if (event.target === input && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    if (items.length > 1) grid.focus();
    else at("single").querySelector("button, summary, a")?.focus();
  } else if (event.key === "Escape" && document.querySelector(".menu[open]")) {
    const menu = document.querySelector(".menu[open]");
    menu.open = false;
    menu.querySelector("summary").focus();
  } else if (event.key === "Escape" && at("panel").contains(event.target)) {
    close();
    grid.focus();
  } else if (event.key === "Escape" && at("results").contains(event.target)) {
    fold(false);
    input.focus();
  }
});
at("edit").addEventListener("click", () => {
  fold(false);
  input.focus();
});
at("open").addEventListener("click", () => at("file").click());
at("file").addEventListener("change", ({ target }) => {
  void openFile(target.files[0]);
  target.value = "";
});
for (const type of ["dragover", "drop"]) {
  document.addEventListener(type, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    if (type === "drop") void openFile(event.dataTransfer.files[0]);
  });
}
at("examples").addEventListener("click", () => write(EXAMPLES));
fill(at("samples"), EXAMPLES.split("\n").slice(0, 4).map((title) => h("li", {}, h("button", { type: "button", class: "sample", translate: "no", onclick: () => write(title) }, title))));
at("clear").addEventListener("click", () => {
  choices.clear();
  write("");
  input.focus();
});
at("filter").addEventListener("click", () => {
  const opened = at("filters").classList.toggle("wanted");
  at("filter").setAttribute("aria-expanded", String(opened));
});
document.addEventListener("click", ({ target }) => {
  for (const menu of document.querySelectorAll(".menu[open]")) if (!menu.contains(target)) menu.open = false;
});
at("group").addEventListener("click", ({ currentTarget }) => {
  const grouped = currentTarget.getAttribute("aria-pressed") !== "true";
  currentTarget.setAttribute("aria-pressed", String(grouped));
  grid.group(grouped);
});
for (const id of ["words", "set", "grade", "sure"]) at(id).addEventListener("input", refine);
at("pictures").addEventListener("change", () => {
  keep("pictures", at("pictures").checked ? "on" : "off");
  drawn = undefined;
  show();
});
at("copy-link").addEventListener("click", ({ currentTarget }) => copy(currentTarget, new URL(link || location.pathname, location.href).href));
at("copy-json").addEventListener("click", ({ currentTarget }) => copy(currentTarget, toJson(exported())));
at("copy-csv").addEventListener("click", ({ currentTarget }) => copy(currentTarget, toCsv(exported())));
for (const [id, write, type] of [["json", toJson, "application/json"], ["csv", toCsv, "text/csv"], ["parquet", toParquet, "application/vnd.apache.parquet"]]) {
  at(`save-${id}`).addEventListener("click", async () => {
    at("export").open = false;
    try {
      save(await write(exported()), `titledex.${id}`, type);
    } catch (error) {
      status.textContent = `The file could not be written: ${error.message}`;
    }
  });
}
at("retry").addEventListener("click", load);
at("catalogue").addEventListener("change", load);
addEventListener("hashchange", openLink);

at("pictures").checked = kept("pictures") === "on";
games = known(kept("games").split(" "));
fill(at("games-list"), GAMES.map((game) => {
  const box = h("input", { type: "checkbox", value: game, onchange: () => choose(box.checked ? [...games, game] : games.filter((other) => other !== game)) });
  return h("label", {}, box, ` ${gameWord(game)}`);
}));
followGames();
drawGames();
const given = await fromFragment(location.hash);
// a browser that goes back may have kept the field
if (given !== undefined) input.value = given;
size();
layOut(input.value.trim() === "" ? 0 : input.value.split("\n").filter((line) => line.trim() !== "").length);
await load();
// now that nothing waits for the network: it fetches the files once more, for times without one
if ("serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {});
