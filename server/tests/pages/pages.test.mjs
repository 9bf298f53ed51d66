// The pages in a real browser: what they do, that a name is never markup, that nothing leaves the origin, and that all can use them.
// TITLEDEX_SERVER and TITLEDEX_LAB name the programs, CHROMIUM the browser; SHOTS a folder for pictures of the pages.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { mkdir } from "node:fs/promises";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { start } from "./service.mjs";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const MARKUP = `<img src=x onerror="document.title='run'"><b>&amp;`;
const TITLE = "Pikachu 58/102 Base Set PSA 9";
let service, browser, holder;
const elsewhere = [];

before(async () => {
  service = await start(process.env.TITLEDEX_SERVER, process.env.TITLEDEX_LAB);
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const account = await service.ask("/api/admin/accounts", service.admin, { name: `Card shop ${MARKUP}`, plan: "api" });
  const made = await service.ask(`/api/admin/accounts/${account.data.id}/keys`, service.admin, { name: "first" });
  holder = made.data.key;
  await service.ask("/api/v2/parse-title", holder, { titles: Array(37).fill(TITLE) });
});

after(async () => {
  await browser?.close();
  await service?.stop();
});

/** A page whose requests are watched; what goes wrong on it is an error. */
async function open(path, options = {}) {
  const context = await browser.newContext({ baseURL: service.address, ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(`${service.address}/`) && !request.url().startsWith("data:")) elsewhere.push(request.url());
  });
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("status of 4")) wrong.push(message.text());
  });
  await page.goto(path);
  return { page, close: async () => {
    await context.close();
    assert.deepEqual(wrong, []);
    assert.deepEqual(elsewhere, []);
  } };
}

async function enter(page, key) {
  await page.fill("#key", key);
  await page.click("#enter button");
}

/** axe-core finds nothing on the page as it stands. */
async function usable(page, place) {
  // axe is given to the page beside its policy, as a browser's own tool is
  await page.evaluate(await import("node:fs").then((fs) => fs.readFileSync(AXE, "utf8")));
  const found = await page.evaluate(() => axe.run({ resultTypes: ["violations"] }).then((result) => result.violations));
  const said = found.map((of) => `${place}: ${of.impact} ${of.id} ${of.nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`);
  assert.deepEqual(said, []);
}

test("a holder makes a key, sees it once, and revokes it", async () => {
  const { page, close } = await open("/dashboard", { permissions: ["clipboard-read", "clipboard-write"] });
  await enter(page, holder);
  await page.waitForSelector("#account:not([hidden])");
  assert.equal(await page.textContent("#name"), `Card shop ${MARKUP}`);
  assert.equal(await page.textContent("#plan"), "api");
  await page.fill("#new-name", MARKUP);
  await page.click("#make button");
  await page.waitForSelector("#made:not([hidden])");
  const key = await page.textContent("#secret");
  assert.match(key, /^td_live_[0-9A-Za-z]{10}_[0-9A-Za-z]{43}$/);
  await page.click("#copy");
  await page.waitForFunction(() => document.getElementById("copy").textContent === "Copied");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), key);
  assert.equal((await service.ask("/api/v2/parse-title", key, { title: TITLE })).status, 200);
  await page.waitForFunction(() => document.querySelectorAll("#keys tr").length === 2);
  // the name is text: no element is made of it, and none of it runs
  assert.equal(await page.textContent("#keys tr:nth-child(2) td"), MARKUP);
  assert.equal(await page.textContent("#made-name"), MARKUP);
  assert.equal(await page.locator("main img, main td b").count(), 0);
  assert.equal(await page.title(), "Dashboard: titledex");
  await usable(page, "dashboard");
  await page.click("#done");
  assert.equal(await page.textContent("#secret"), "");
  // after a reload the account is there, the key's text is not
  await page.reload();
  await page.waitForSelector("#account:not([hidden])");
  assert.ok(!(await page.content()).includes(key));
  const stored = await page.evaluate(() => [JSON.stringify(localStorage), document.cookie, JSON.stringify(sessionStorage)]);
  assert.deepEqual(stored, ["{}", "", JSON.stringify({ "titledex-key": holder })]);
  const revoke = page.locator("#keys tr:nth-child(2) button");
  await revoke.click();
  assert.equal((await service.ask("/api/v2/account", key)).status, 200, "one press revokes nothing");
  await revoke.click();
  await page.waitForFunction(() => document.querySelectorAll("#keys tr").length === 1);
  assert.equal((await service.ask("/api/v2/account", key)).status, 401);
  await page.click("#revoked-toggle");
  assert.match(await page.textContent("#keys tr.revoked"), /revoked \d{4}-/);
  await page.click("#leave");
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  assert.ok(await page.isVisible("#enter"));
  await close();
});

test("usage and what is left are shown", async () => {
  const { page, close } = await open("/dashboard");
  await enter(page, holder);
  await page.waitForSelector("#usage svg rect.some");
  const days = await page.$$eval("#usage svg rect title", (titles) => titles.map((title) => title.textContent));
  assert.equal(days.length, 30);
  const today = Number(days.at(-1).split(": ")[1]);
  assert.ok(today >= 37 && today <= 200, days.at(-1));
  // calls are counted some seconds after they were made
  const counted = async () => (await service.ask("/api/v2/account/usage/endpoints", holder)).data;
  for (let tries = 0; tries < 100 && (await counted()).length === 0; tries += 1) await page.waitForTimeout(100);
  const calls = (await counted()).find(({ endpoint }) => endpoint === "/api/v2/parse-title");
  await page.reload();
  await page.waitForSelector("#endpoints tr");
  const row = await page.locator("#endpoints tr", { hasText: "parse-title" }).locator("td").allTextContents();
  assert.deepEqual(row.slice(0, 3), ["/api/v2/parse-title", String(calls.calls), String(calls.creditsUsed)]);
  assert.ok(calls.creditsUsed >= 37, JSON.stringify(calls));
  await usable(page, "dashboard, with usage");
  const left = Number((await page.textContent("#daily")).replaceAll(",", ""));
  assert.ok(left <= 20_000 - 37 && left > 19_000, String(left));
  await close();
});

test("an administrator decides about sold listings, whose titles are text", async () => {
  const { page, close } = await open("/review");
  await enter(page, service.admin);
  await page.waitForSelector("#queue:not([hidden])");
  const waiting = async () => Number((await page.textContent("#count")).split(" ")[0].replaceAll(",", ""));
  const all = await waiting();
  assert.ok(all > 1, String(all));
  assert.equal(await page.textContent(".listing h3"), `Charizard PSA 10 ${MARKUP}`);
  assert.equal(await page.locator("main img, main h3 b").count(), 0);
  await usable(page, "review");
  const first = page.locator(".listing").first();
  await first.locator("li button").first().click();
  await first.locator("button[aria-label^=Accept]").click();
  await page.waitForFunction(() => document.getElementById("said").textContent.startsWith("Accepted"));
  await page.locator(".listing button[aria-label^=Reject]").first().click();
  await page.waitForFunction(() => document.getElementById("said").textContent.startsWith("Rejected"));
  assert.equal(await waiting(), all - 2);
  const decided = await service.ask("/api/admin/review?status=accepted", service.admin);
  assert.equal(decided.data.length, 1);
  assert.equal(decided.data[0].grade, "GRADER_A_10");
  // the key is in this page alone
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  await page.click("#leave");
  assert.ok(await page.isVisible("#enter"));
  await enter(page, holder);
  await page.waitForFunction(() => document.getElementById("said").textContent.includes("administrator"));
  await close();
});

/** The queue as the service has it: how many fit, and the first of them. */
async function waiting(query = "") {
  return service.ask(`/api/admin/review?limit=500&${query}`, service.admin);
}

test("listings are filtered, decided at once, and wait again when that is undone", async () => {
  const { page, close } = await open("/review");
  await enter(page, service.admin);
  await page.waitForSelector("#queue:not([hidden])");
  const all = await waiting();
  await page.evaluate(() => (document.querySelector("#queue details").open = true));
  const prices = all.data.map((of) => of.price).sort((a, b) => a - b);
  const bound = prices[Math.floor(prices.length / 2)];
  const count = (number) => page.waitForFunction((text) => document.getElementById("count").textContent === text, number ? `${number.toLocaleString("en-GB")} to review` : "Nothing to review");
  const show = async (values) => {
    for (const [name, value] of Object.entries(values)) {
      if (name === "reason" || name === "kind") await page.selectOption(`#${name}`, value);
      else await page.fill(`#${name}`, value);
    }
    await page.click("#filter button");
  };
  const said = (text) => page.waitForFunction((part) => document.getElementById("said").textContent.includes(part), text);
  await count(all.total);
  // each filter shows what the service finds by it
  const reasons = [...new Set(all.data.map((of) => of.reason))];
  for (const values of [...reasons.map((reason) => ({ reason })), { kind: "single" }, { kind: "sealed" }, { set: "base1" }, { minConfidence: "0.5" }, { maxConfidence: "0.5" }]) {
    const { total } = await waiting(new URLSearchParams(values));
    await show({ reason: "", kind: "", set: "", minConfidence: "", maxConfidence: "", ...values });
    await count(total);
  }
  await show({ reason: "", kind: "", maxConfidence: "", minPrice: "x" });
  await said("minPrice");
  await show({ minPrice: "", set: "nowhere" });
  await count(0);
  assert.ok(await page.isHidden("#accept-all") && await page.isHidden("#reject-all"));
  // those up to a price: one press decides nothing, the second all that fit
  const cheap = await waiting(`maxPrice=${bound}`);
  assert.ok(cheap.total > 0 && cheap.total < all.total, `${cheap.total} of ${all.total}`);
  await show({ set: "", maxPrice: String(bound) });
  await count(cheap.total);
  const shown = await page.$$eval(".listing p.soft", (lines) => lines.map((line) => Number(/^\$([\d,]+\.\d\d), /.exec(line.textContent)[1].replace(",", ""))));
  assert.ok(shown.length > 0 && shown.every((price) => price <= bound), shown.join());
  await page.click("#reject-all");
  await page.waitForFunction(() => document.getElementById("reject-all").textContent.startsWith("Press again"));
  assert.equal((await waiting()).total, all.total);
  await usable(page, "review, about to reject");
  await page.click("#reject-all");
  await said(`${cheap.total.toLocaleString("en-GB")} rejected`);
  await count(0);
  assert.equal((await waiting()).total, all.total - cheap.total);
  assert.equal((await waiting("status=rejected")).total >= cheap.total, true);
  await page.click("#undo");
  await said("is undone");
  await count(cheap.total);
  assert.deepEqual((await waiting()).data.map((of) => of.id), all.data.map((of) => of.id));
  assert.ok(await page.isHidden("#undo"));
  // what came since the list was shown is not decided with it
  const guessed = all.data.filter((of) => of.marketplaceId !== null);
  const [first] = guessed;
  await show({ maxPrice: "", reason: first.reason });
  const fits = await waiting(`reason=${first.reason}`);
  await count(fits.total);
  const taken = await service.ask(`/api/admin/review/${first.id}/reject`, service.admin, {});
  assert.equal(taken.status, 200);
  await page.click("#accept-all");
  await page.click("#accept-all");
  await said("listings");
  assert.equal((await waiting()).total, all.total - 1);
  await service.ask(`/api/admin/changes/${taken.data.change}/undo`, service.admin, {});
  // accepted at once: each as its best guess, and back again
  const accepted = (await waiting("status=accepted")).total;
  await page.click("#filter button");
  await count(fits.total);
  const certain = fits.data.filter((of) => of.marketplaceId !== null).length;
  await page.click("#accept-all");
  await page.click("#accept-all");
  await said(`${certain.toLocaleString("en-GB")} accepted`);
  assert.equal((await waiting("status=accepted")).total, accepted + certain);
  await page.click("#undo");
  await said("is undone");
  assert.equal((await waiting()).total, all.total);
  assert.equal((await waiting("status=accepted")).total, accepted);
  await close();
});

test("listings are decided by keys alone, and undone", async () => {
  const { page, close } = await open("/review");
  await enter(page, service.admin);
  await page.waitForSelector(".listing.active");
  await page.click("#one");
  assert.equal(await page.locator(".listing:visible").count(), 1);
  await usable(page, "review, one at a time");
  const before = (await waiting()).total;
  const first = await page.textContent(".listing.active h3");
  const said = (text) => page.waitForFunction((part) => document.getElementById("said").textContent.includes(part), text);
  await page.locator(".listing.active").focus();
  await page.keyboard.press("s");
  assert.notEqual(await page.textContent(".listing.active h3"), first);
  await page.keyboard.press("ArrowUp");
  assert.equal(await page.textContent(".listing.active h3"), first);
  await page.keyboard.press("r");
  await said("Rejected");
  assert.equal((await waiting()).total, before - 1);
  // one that has candidates
  while ((await page.locator(".listing.active ol button").count()) === 0) await page.keyboard.press("s");
  const wanted = await page.locator(".listing.active ol button").first().getAttribute("value");
  await page.keyboard.press("1");
  await said("Accepted");
  assert.equal((await waiting("status=accepted")).data.at(-1).marketplaceId, wanted);
  await page.keyboard.press("u");
  await said("is undone");
  await page.keyboard.press("u");
  await page.waitForFunction(() => document.getElementById("undo").hidden);
  assert.equal((await waiting()).total, before);
  await close();
});

test("a reviewer sees how a title is read, and finds another card by name", async () => {
  const { page, close } = await open("/review");
  await enter(page, service.admin);
  await page.waitForSelector("#queue:not([hidden])");
  // words of the title, as the service finds them
  const { title } = (await waiting()).data.find(({ candidates }) => candidates.length > 1);
  const { total } = await waiting(new URLSearchParams({ search: title }));
  await page.evaluate(() => (document.querySelector("#queue details").open = true));
  await page.fill("#search", title);
  await page.click("#filter button");
  await page.waitForFunction((count) => document.getElementById("count").textContent === `${count} to review`, total);
  const active = page.locator(".listing.active");
  await active.locator("h3 [data-part=name]").first().waitFor();
  assert.equal(await active.locator("h3").textContent(), title);
  await active.focus();
  await page.keyboard.press("w");
  await active.locator(".evidence th", { hasText: "name" }).first().waitFor();
  await active.locator("summary", { hasText: "Another card" }).click();
  await active.locator("input[type=search]").fill("Voltorb 67/102 Base Set");
  const found = active.locator(".found button[value^='base1-67']");
  await found.first().waitFor();
  await found.first().click();
  assert.equal(await found.first().getAttribute("aria-pressed"), "true");
  assert.match(await active.locator(".why p").textContent(), /does not speak of this card/);
  await usable(page, "review, with another card");
  await active.locator("input[type=search]").fill("zzzzqqq");
  await active.locator(".said", { hasText: "No card matches" }).waitFor();
  await close();
});

test("a sealed product under review stands by its name", async () => {
  const sealed = (await waiting("kind=sealed")).data.find(({ product }) => product);
  assert.ok(sealed, "no sealed product is guessed");
  const { page, close } = await open("/review");
  await enter(page, service.admin);
  await page.waitForSelector("#queue:not([hidden])");
  await page.evaluate(() => (document.querySelector("#queue details").open = true));
  await page.fill("#search", sealed.title);
  await page.click("#filter button");
  const offered = page.locator(`.listing[data-id="${sealed.id}"] ol button`).first();
  await offered.waitFor();
  assert.equal(await offered.getAttribute("value"), sealed.marketplaceId);
  assert.equal(await offered.locator(".name").textContent(), sealed.product);
  await usable(page, "review, of a sealed product");
  await close();
});

test("a reviewer's keys need not wait for the service", async () => {
  const { page, close } = await open("/review");
  await enter(page, service.admin);
  await page.waitForSelector(".listing.active");
  const before = (await waiting()).total;
  const held = [];
  await page.route("**/api/admin/review/*/reject", (route) => held.push(route));
  const titles = await page.locator(".listing h3").allTextContents();
  await page.locator(".listing.active").focus();
  for (const _ of "rrr") await page.keyboard.press("r");
  // three are away, and the fourth is looked at, before the service has said anything
  assert.equal(await page.textContent(".listing.active h3"), titles[3]);
  assert.equal(await page.textContent("#count"), `${before - 3} to review`);
  while (held.length < 3) await page.waitForTimeout(20);
  await held[0].continue();
  await held[1].fulfill({ status: 409, json: { error: { message: "it was decided by another reviewer" } } });
  await held[2].continue();
  // what was refused comes back to its place with the reason
  await page.locator(".listing.active .bad", { hasText: "another reviewer" }).waitFor();
  assert.equal(await page.textContent(".listing.active h3"), titles[1]);
  // what is undone does, too, and nothing else moves
  for (const title of [titles[2], titles[0]]) {
    await page.keyboard.press("u");
    await page.waitForFunction((title) => document.querySelector(".listing.active h3").textContent === title, title);
  }
  assert.deepEqual(await page.locator(".listing h3").allTextContents(), titles);
  assert.equal((await waiting()).total, before);
  await close();
});

test("an unknown key is refused with a message and not kept", async () => {
  const { page, close } = await open("/dashboard");
  await enter(page, "td_live_nobody");
  await page.waitForFunction(() => document.getElementById("said").textContent.includes("unknown"));
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  await enter(page, "ключ");
  await page.waitForFunction(() => document.getElementById("said").textContent.includes("copy it again"));
  await close();
});

test("the documentation's forms send requests", async () => {
  const { page, close } = await open("/docs");
  await page.fill("#key", holder);
  await page.click("#key-form button[type=submit]");
  // an address opens what it names
  await page.evaluate(() => (location.hash = "#parseTitle"));
  const form = page.locator("details.try", { has: page.locator("form[data-path='/api/v2/parse-title']") });
  await form.locator("summary").click();
  await form.locator("textarea").fill(JSON.stringify({ title: `${TITLE} ${MARKUP}` }));
  await form.locator("button").click();
  const out = form.locator("output pre");
  await out.waitFor();
  const text = await out.textContent();
  assert.match(text, /^HTTP 200\n/);
  assert.match(text, /x-ratelimit-cost: 1\n/);
  assert.ok(text.includes("onerror"), "the answer is shown as it is");
  assert.equal(await form.locator("output img").count(), 0);
  const usage = page.locator("details.try", { has: page.locator("form[data-path='/api/v2/account/usage']") });
  await page.evaluate(() => (document.querySelector("form[data-path='/api/v2/account/usage']").closest(".operation").open = true));
  await usage.locator("summary").click();
  await usage.locator("input").fill("900");
  await usage.locator("button").click();
  await usage.locator("output pre").waitFor();
  assert.match(await usage.locator("output pre").textContent(), /^HTTP 400\n[^]*out_of_range/);
  // a header is sent as one, and rows as what they are
  await page.fill("#key", service.admin);
  await page.click("#key-form button[type=submit]");
  const rows = page.locator("details.try", { has: page.locator("form[data-path='/api/admin/import/{kind}']") });
  await page.evaluate(() => (location.hash = "#importFile"));
  await rows.locator("summary").click();
  await rows.locator("input[name=kind]").fill("rates");
  await rows.locator("input[name='Idempotency-Key']").fill("from-a-form");
  await rows.locator("select").selectOption("text/csv");
  await rows.locator("textarea").fill("date,currency,usdPerUnit\n2026-11-20,EUR,1.1\n");
  await rows.locator("button").click();
  await rows.locator("output pre").waitFor();
  assert.match(await rows.locator("output pre").textContent(), /^HTTP 201\n/);
  await usable(page, "docs");
  await close();
});

test("a search leads to a set, a card and back, and a missing page to a search", async () => {
  const { page, close } = await open("/nowhere");
  assert.match(await page.textContent("h1"), /Not found/);
  assert.equal(await page.locator(".top nav [aria-current]").count(), 0);
  await page.locator("main input[name=q]").fill("umbreon vmax evolving skies");
  await page.locator("main .search button").click();
  await page.locator(".cards a", { hasText: "215/203" }).click();
  assert.match(await page.textContent("h1"), /Umbreon VMAX 215\/203/);
  await page.locator(".path a", { hasText: "Evolving Skies" }).click();
  assert.ok((await page.locator(".cards li").count()) > 200);
  assert.equal(await page.textContent(".top nav [aria-current]"), "Sets");
  await usable(page, "set");
  await close();
});

test("pages can be read without scripts, and their internal links have targets", async () => {
  const { page, close } = await open("/docs", { javaScriptEnabled: false });
  const ids = new Set(await page.$$eval("[id]", (all) => all.map((of) => of.id)));
  const targets = await page.$$eval("a[href^='#']", (all) => all.map((of) => of.getAttribute("href").slice(1)));
  assert.ok(targets.length > 50);
  assert.deepEqual(targets.filter((target) => !ids.has(target)), []);
  await close();
});

/** The page of a card that the invented market knows: it has printings and a history to plot. */
async function card() {
  return "/cards/base1-4";
}

test("a card page is complete without scripts", async () => {
  const { page, close } = await open(await card(), { javaScriptEnabled: false });
  assert.match(await page.textContent("main"), /Market price[^]*Price history/);
  assert.equal(await page.locator("svg.plot polyline").count(), 1);
  assert.match(await page.locator("svg.plot .point title").first().textContent(), /^\d{4}-\d\d-\d\d: \$/);
  assert.match(await page.textContent("main"), /Similar cards/);
  const address = await page.getByRole("link", { name: "See it at TCGplayer" }).getAttribute("href");
  assert.match(address, /^https:\/\/www\.tcgplayer\.com\/product\/\d+$/);
  await close();
});

for (const colorScheme of ["light", "dark"]) {
  for (const width of [390, 768, 1280, 1920]) {
    test(`pages fit ${width} pixels, ${colorScheme}`, async () => {
      for (const path of ["/", "/docs", "/dashboard", "/review", "/sets", "/sets/base1", "/search?q=charizard", "/nowhere", await card()]) {
        const { page, close } = await open(path, { viewport: { width, height: 900 }, colorScheme });
        if (path === "/dashboard") {
          await enter(page, holder);
          await page.waitForSelector("#usage svg");
        }
        if (path === "/review") {
          await enter(page, service.admin);
          await page.waitForSelector(".listing");
        }
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(wide, 0, `${path} scrolls sideways`);
        await usable(page, `${path} ${width} ${colorScheme}`);
        if (process.env.SHOTS) {
          await mkdir(process.env.SHOTS, { recursive: true });
          const name = `${process.env.SHOTS}/${path.slice(1).replaceAll(/\W+/g, "-") || "landing"}-${width}-${colorScheme}.png`;
          await page.screenshot({ path: name, fullPage: path !== "/docs" });
        }
        await close();
      }
    });
  }
}
