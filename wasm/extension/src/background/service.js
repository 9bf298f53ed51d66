// Asks the service that the user named. Its answer may be anything: another program's page, a proxy's error, nothing at all.
import { records } from "./market.js";

/** Milliseconds after which a service is not waited for. */
const PATIENCE = 15_000;
/** Letters of a service's own words that are shown. */
const LONGEST = 300;

const SILENT = "the service does not answer";
/** What statuses mean where the service does not say it. */
const STATUSES = { 401: "it does not know the key", 402: "it asks for a payment", 403: "the key may not do this", 404: "there are no prices at this address", 429: "too many requests, try again later" };

/** The cards that a service answers for `asked`: `{ cards }`, or in words why there are none, `{ problem }`. */
export async function cardsOf(service, key, asked) {
  const address = new URL("/api/v2/cards", service);
  address.search = new URLSearchParams(asked);
  const signal = AbortSignal.timeout(PATIENCE);
  // the key and the id are for this service alone: they follow it nowhere
  const options = { headers: { Authorization: `Bearer ${key}` }, credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store", redirect: "manual", signal };
  const response = await fetch(address, options).catch(() => undefined);
  if (!response) return { problem: SILENT };
  // a browser tells nothing of a redirection but that it is one
  if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) return { problem: "the service is at another address: enter that in the options" };
  const body = await response.json().catch(() => undefined);
  if (signal.aborted) return { problem: SILENT };
  if (!response.ok) return { problem: refusal(response.status, body) };
  return Array.isArray(body?.data) ? { cards: records(body.data) } : { problem: "what is at the service’s address gives no prices" };
}

function refusal(status, body) {
  const message = body?.error?.message;
  const said = typeof message === "string" ? message.replace(/[\s\p{C}]+/gu, " ").trim() : "";
  const letters = [...said];
  const words = letters.length > LONGEST ? `${letters.slice(0, LONGEST).join("")}…` : said;
  return `the service ${status >= 500 ? "fails" : "refuses"}: ${words || (STATUSES[status] ?? `status ${status}`)}`;
}
