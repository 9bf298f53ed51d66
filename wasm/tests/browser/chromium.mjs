import { createRequire } from "node:module";
import { existsSync, readFileSync } from "node:fs";

// the one that the package's own tests are pinned to
export const { chromium } = createRequire(new URL("../../package/package.json", import.meta.url))("playwright-core");

/** Where Chromium is: TITLEDEX_CHROMIUM, else where Debian puts it. */
export const executablePath = process.env.TITLEDEX_CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
/** Chromium's own traffic (updates, field trials) is off, so that every request seen is the page's; names but localhost lead nowhere. */
export const args = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1"];

export function launch() {
  return chromium.launch({ executablePath, args });
}

/** What axe-core finds serious or critical in a page, as readable lines. */
export async function seriousFaults(page) {
  const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  // by the inspector's hands: the page's policy lets no foreign script in
  await page.evaluate(readFileSync(axe, "utf8"));
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 160)}: ${failureSummary}`));
}

/** Records every request of a browser context, its service workers' too, and what scripts complain of. */
export function watch(context) {
  const seen = { requests: [], complaints: [] };
  context.on("request", (request) => seen.requests.push(request.url()));
  context.on("weberror", (error) => seen.complaints.push(String(error.error())));
  context.on("console", (message) => ["error", "warning"].includes(message.type()) && seen.complaints.push(message.text()));
  return seen;
}

/** Those of `requests` that leave the machine or the origins allowed. */
export function foreign(requests, ...origins) {
  return requests.filter((url) => !/^(data|blob|chrome-extension|about):/.test(url) && !origins.some((origin) => url.startsWith(`${origin}/`)));
}
