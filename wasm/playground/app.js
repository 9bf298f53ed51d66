import { EXAMPLES } from "./examples.js";
import { toCsv, toJson } from "./export.js";
import { AnswerList } from "./list.js";
import { fromFragment, toFragment } from "./permalink.js";
import { Reader } from "./reader.js";
import { themeButton } from "./theme.js";

const PAUSE = 60;
const at = (id) => document.getElementById(id);
const input = at("titles");
const status = at("status");
const list = new AnswerList({ list: at("answers"), more: at("more"), filters: at("filters"), legend: at("legend") });

// With trusted types no text of a title can become markup or script, whatever the code does: the one policy lets own scripts be workers.
globalThis.trustedTypes?.createPolicy("default", {
  createScriptURL: (address) => {
    if (new URL(address, location.href).origin === location.origin) return address;
    throw new TypeError("only this page's own scripts are run");
  },
});

let reader;
let loading;
let turn = 0;
let waiting;
let link = "";

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
  try {
    const next = await Reader.load(at("catalogue").value, { onProgress, signal: now.signal });
    if (now.signal.aborted) return next.free();
    reader?.free();
    reader = next;
    const info = await reader.info();
    at("catalogue-info").textContent = `${info.cards.toLocaleString("en-GB")} cards in ${info.sets.toLocaleString("en-GB")} sets`;
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
  at("count").textContent = titles.length === 0 ? "" : counted(titles.length);
  void keepLink();
  if (!reader) return;
  const from = performance.now();
  try {
    const answers = await reader.read(titles, {
      isStale: () => mine !== turn,
      onPart: (done, all) => {
        if (done < all) status.textContent = `${done.toLocaleString("en-GB")} of ${counted(all)} read`;
      },
    });
    if (!answers || mine !== turn) return;
    list.show(answers);
    status.textContent = titles.length === 0 ? "" : `${counted(titles.length)} read in ${Math.max(1, Math.round(performance.now() - from))} ms`;
  } catch (error) {
    if (mine === turn) status.textContent = `The titles could not be read: ${error.message}`;
  }
}

function counted(number) {
  return number === 1 ? "1 title" : `${number.toLocaleString("en-GB")} titles`;
}

async function keepLink() {
  const text = input.value;
  const fragment = await toFragment(text);
  if (text !== input.value) return;
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
  write(text);
}

function write(text) {
  input.value = text;
  size();
  void read();
}

/** The field is as high as its titles, up to a dozen. */
function size() {
  input.rows = Math.min(12, Math.max(4, input.value.split("\n", 13).length));
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

input.addEventListener("input", () => {
  size();
  clearTimeout(waiting);
  waiting = setTimeout(read, PAUSE);
});
document.addEventListener("keydown", (event) => {
  if (event.target === input && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    list.focusFirst();
  } else if (event.key === "Escape" && at("results").contains(event.target)) {
    input.focus();
  }
});
at("examples").addEventListener("click", () => write(EXAMPLES));
at("clear").addEventListener("click", () => {
  write("");
  input.focus();
});
at("copy-link").addEventListener("click", ({ currentTarget }) => copy(currentTarget, new URL(link || location.pathname, location.href).href));
at("copy-json").addEventListener("click", ({ currentTarget }) => copy(currentTarget, toJson(list.shown)));
at("copy-csv").addEventListener("click", ({ currentTarget }) => copy(currentTarget, toCsv(list.shown)));
at("retry").addEventListener("click", load);
at("catalogue").addEventListener("change", load);
addEventListener("hashchange", openLink);

themeButton(at("theme"));
const given = await fromFragment(location.hash);
// a browser that goes back may have kept the field
if (given !== undefined) input.value = given;
size();
void load();
if ("serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {});
