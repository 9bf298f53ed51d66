// The service worker in Chromium, the event page in Firefox: titles come in, what is shown goes out.
import { mark } from "./mark.js";
import { priceWords } from "./price.js";
import { catalogueInfo, read } from "./reader.js";
import { settings } from "./settings.js";
import { adapterFor, adapters, register, SCRIPTS } from "./sites.js";

const MENU = "what-card";
const OWN_PAGES = chrome.runtime.getURL("");

chrome.runtime.onInstalled.addListener(() => {
  chrome.contextMenus.removeAll(() => chrome.contextMenus.create({ id: MENU, title: "What card is this?", contexts: ["selection"] }));
  void register();
});
chrome.runtime.onStartup.addListener(() => void register());
chrome.permissions.onAdded.addListener(() => void register());
chrome.permissions.onRemoved.addListener(() => void register());
chrome.storage.local.onChanged.addListener(() => void register());

chrome.runtime.onMessage.addListener((message, sender, reply) => {
  if (sender.id !== chrome.runtime.id) return false;
  answer(message, sender).then(
    (value) => reply({ value }),
    (error) => reply({ error: error.message }),
  );
  return true;
});

async function answer(message, sender) {
  switch (message?.type) {
    case "start": {
      const { style, place, others, prices } = await settings();
      const adapter = adapterFor(sender.url ?? "", await adapters());
      return { adapter, style, place, others, prices };
    }
    case "marks": {
      const [answers, chosen] = await Promise.all([read(message.titles), settings()]);
      return answers.map((of) => mark(of, chosen));
    }
    case "price": {
      const [[of], chosen] = await Promise.all([read([message.title]), settings()]);
      return priceWords(of, typeof message.asked === "string" ? message.asked.slice(0, 200) : "", chosen);
    }
    default:
  }
  // the rest is for the extension's own pages
  if (!sender.url?.startsWith(OWN_PAGES)) throw new Error("not for pages");
  switch (message?.type) {
    case "answers":
      return read(message.titles);
    case "info":
      return catalogueInfo();
    case "mark-page":
      return markPage(message.tab);
    default:
      throw new Error("unknown message");
  }
}

/** Marks the page of a tab once, by the right that a click on the extension gives. */
async function markPage(tabId) {
  await chrome.scripting.executeScript({ target: { tabId }, files: SCRIPTS });
}

chrome.contextMenus.onClicked.addListener((info, tab) => void explain(info, tab));

/** Shows what the selected words are, in the page; where no script may run, in a tab of our own. */
export async function explain({ menuItemId, selectionText }, tab) {
  const title = selectionText?.trim().slice(0, 4000);
  if (menuItemId !== MENU || !title) return;
  const [of] = await read([title]);
  const shown = mark(of, await settings());
  try {
    await chrome.scripting.executeScript({ target: { tabId: tab.id }, files: SCRIPTS.filter((file) => !file.endsWith("/main.js")) });
    await chrome.scripting.executeScript({ target: { tabId: tab.id }, func: (title, shown) => globalThis.titledex.explain(title, shown), args: [title, shown] });
  } catch {
    await chrome.tabs.create({ url: `${chrome.runtime.getURL("popup/popup.html")}#t=${encodeURIComponent(title.toWellFormed())}` });
  }
}

chrome.commands.onCommand.addListener((command, tab) => {
  if (command === "next-mark" && tab?.id !== undefined) chrome.tabs.sendMessage(tab.id, { type: "next-mark" }).catch(() => {});
});
