import { settings } from "../background/settings.js";
import { detail } from "../ui/detail.js";
import { fill } from "../ui/dom.js";
import { shops } from "../ui/shops.js";
import { colouredTitle } from "../ui/title.js";

const at = (id) => document.getElementById(id);
const input = at("title");
let turn = 0;

async function ask(message) {
  const reply = await chrome.runtime.sendMessage(message);
  if (reply?.error) throw new Error(reply.error);
  return reply?.value;
}

async function read() {
  const mine = ++turn;
  const title = input.value.replace(/\s+/gu, " ").trim();
  if (title === "") {
    at("status").textContent = "";
    fill(at("answer"));
    return;
  }
  try {
    const [answer] = await ask({ type: "answers", titles: [title.toWellFormed()] });
    if (mine !== turn) return;
    at("status").textContent = "";
    const line = document.createElement("p");
    line.append(colouredTitle(answer, { labels: true }));
    const { games } = await settings();
    const shown = detail(answer, { id: "answer", shops: await shops(), level: "h2", several: games.length > 1 });
    shown.firstElementChild.after(line);
    fill(at("answer"), shown);
  } catch (error) {
    if (mine === turn) at("status").textContent = `The title could not be read: ${error.message}`;
  }
}

async function markPage() {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  try {
    await ask({ type: "mark-page", tab: tab.id });
    window.close();
  } catch {
    at("status").textContent = "The browser does not allow extensions on this page.";
  }
}

input.addEventListener("input", read);
at("mark-page").addEventListener("click", markPage);
at("options").addEventListener("click", () => chrome.runtime.openOptionsPage());

if (location.hash.startsWith("#t=")) {
  try {
    input.value = decodeURIComponent(location.hash.slice(3));
  } catch {
    // a damaged address holds no title
  }
}
input.focus();
void read();
