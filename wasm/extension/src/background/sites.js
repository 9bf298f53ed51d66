// Which pages are marked: content scripts are registered for the sites that were switched on and that the browser lets us read.
import { settings } from "./settings.js";

export const SCRIPTS = ["content/find.js", "content/place.js", "content/badge.js", "content/main.js"];
const ID = "marks";

/** The adapters, as data. */
export async function adapters() {
  return (await fetch(chrome.runtime.getURL("sites.json"))).json();
}

let registering = Promise.resolve();

/** Registers the content scripts anew, for what is switched on and allowed; one time after the other, so that the last one counts. */
export function register() {
  registering = registering.then(renew).catch((error) => console.error("titledex:", error.message));
  return registering;
}

async function renew() {
  const { sites, own } = await settings();
  const wanted = [...(await adapters()).filter(({ id }) => sites.includes(id)).flatMap(({ matches }) => matches), ...own];
  const allowed = [];
  for (const pattern of wanted) if (await chrome.permissions.contains({ origins: [pattern] })) allowed.push(pattern);
  const script = { id: ID, js: SCRIPTS, matches: allowed, runAt: "document_idle", allFrames: false };
  const [registered] = await chrome.scripting.getRegisteredContentScripts({ ids: [ID] });
  // altered in place: a page that opens meanwhile is marked too
  if (registered && allowed.length > 0) await chrome.scripting.updateContentScripts([script]);
  else if (registered) await chrome.scripting.unregisterContentScripts({ ids: [ID] });
  else if (allowed.length > 0) await chrome.scripting.registerContentScripts([script]);
}

/** The adapter for an address, or undefined where its page is read by structure. */
export function adapterFor(address, all) {
  return all.find(({ matches }) => matches.some((pattern) => fits(pattern, address)));
}

/** Whether a match pattern (`https://*.example.com/*`) fits an address. */
export function fits(pattern, address) {
  const parts = /^(https?|\*):\/\/(\*|(?:\*\.)?[^/*]+)\/\*$/.exec(pattern);
  if (!parts || !URL.canParse(address)) return false;
  const [, scheme, host] = parts;
  const url = new URL(address);
  if (scheme === "*" ? !/^https?:$/.test(url.protocol) : url.protocol !== `${scheme}:`) return false;
  if (host === "*") return true;
  return host.startsWith("*.") ? url.hostname === host.slice(2) || url.hostname.endsWith(host.slice(1)) : url.hostname === host;
}
