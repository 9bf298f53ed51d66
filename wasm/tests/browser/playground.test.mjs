// The playground in Chromium, served from a sub-path. Run by scripts/browser, which has built dist/playground.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { foreign, launch, seriousFaults, watch } from "./chromium.mjs";
import { serve } from "./server.mjs";
import { HOSTILE, manyTitles } from "./titles.mjs";

const PATH = "/deep/in/a/site/";
const UMBREON = "【PSA10】ブラッキーVMAX SA s6a 095/069 イーブイヒーローズ";
const CHARIZARD = "1999 Pokemon Base Set Shadowless Charizard #4 Holo PSA 9 MINT";

let browser, server, context, page, seen, home;
before(async () => {
  browser = await launch();
});
after(() => browser.close());
beforeEach(async () => {
  server = await serve({ [PATH]: "dist/playground" });
  home = server.address(PATH);
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  seen = watch(context);
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  await server.close();
  assert.deepEqual(foreign(seen.requests, new URL(home).origin), [], "requests to elsewhere");
});

async function open(address = home) {
  await page.goto(address);
  await page.locator("#loading").waitFor({ state: "hidden" });
  assert.equal(await page.locator("#failure").isVisible(), false, await page.locator("#failure-text").textContent());
}

async function read(text) {
  await page.evaluate(() => (document.getElementById("status").textContent = ""));
  await page.fill("#titles", text);
  const count = text.split("\n").filter((line) => line.trim() !== "").length;
  await page.waitForFunction((count) => document.getElementById("status").textContent.startsWith(`${count.toLocaleString("en-GB")} title`) && document.getElementById("status").textContent.includes("read in"), count);
}

/** The texts of coloured words, with their groups. */
function marks(row) {
  return row.locator(".line .mark").evaluateAll((all) => all.map((mark) => `${[...mark.classList].find((name) => name.startsWith("of-")).slice(3)}: ${mark.textContent}`));
}

test("a typed title is coloured in place and explained", async () => {
  await open();
  await page.locator("#titles").pressSequentially(UMBREON);
  const row = page.locator(".answer");
  // the answer to what was typed so far may stand there before
  await row.locator(".title").getByText(UMBREON, { exact: true }).waitFor();
  await row.locator(".toggle", { hasText: "Umbreon VMAX 095/069" }).waitFor();
  const words = await marks(row);
  assert.ok(words.includes("name: ブラッキーVMAX") && words.includes("number: 095/069") && words.includes("grade: PSA"), words.join("; "));
  // a single title stands open
  assert.equal(await row.locator(".toggle").getAttribute("aria-expanded"), "true");
  assert.match(await row.locator(".card").first().textContent(), /Eevee Heroes.*asia:S6a-095/s);
  assert.match(await row.locator(".evidence tbody tr").first().textContent(), /number.*\+\d/);
  assert.match(await row.locator(".evidence tfoot").textContent(), /sum\+\d+\.\d\d/);
});

test("an ambiguous title says what would settle it, and each card shows its evidence", async () => {
  await open();
  await read("Pikachu holo promo PSA 10");
  assert.match(await page.locator(".settle").textContent(), /number/);
  assert.ok((await page.locator(".settle .chips li").count()) > 1);
  await page.locator(".card").nth(1).click();
  assert.equal(await page.locator(".card[aria-pressed=true]").count(), 1);
  const card = (await page.locator(".card[aria-pressed=true] .card-name").textContent()).trim();
  assert.ok((await page.locator(".evidence .about").textContent()).startsWith(card));
});

test("evidence against a card points the other way", async () => {
  await open();
  await read("Charizard 5/102 Base Set 1st Edition Holo");
  const against = page.locator(".bar.against").first();
  await against.waitFor();
  const [from, zero] = await against.evaluate((bar) => ["--from", "--zero"].map((name) => parseFloat(bar.style.getPropertyValue(name))));
  assert.ok(from < zero, `${from} is left of ${zero}`);
});

test("a thousand titles: the list grows as it is scrolled, filters count, one edit reads one title", async () => {
  await open();
  const titles = manyTitles(1000);
  await read(titles.join("\n"));
  assert.ok((await page.locator(".answer").count()) < 400, "rows below the fold wait");
  const counts = await page.locator(".filter .number").allTextContents();
  assert.equal(counts.reduce((sum, count) => sum + Number(count.replaceAll(",", "")), 0), 1000);
  for (let turn = 0; turn < 1000 && (await page.locator(".answer").count()) < 1000; turn += 1) {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.waitForTimeout(20);
  }
  assert.equal(await page.locator(".answer").count(), 1000);
  assert.equal(await page.locator(".answer").last().locator(".title").textContent(), titles.at(-1));
  const filter = page.locator(".filter").first();
  const wanted = Number((await filter.locator(".number").textContent()).replaceAll(",", ""));
  await filter.click();
  assert.equal(await filter.getAttribute("aria-pressed"), "true");
  await page.waitForFunction((most) => document.querySelectorAll(".answer").length <= most, wanted);
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    globalThis.sent = 0;
    Worker.prototype.postMessage = function (message, ...rest) {
      globalThis.sent += message.titles?.length ?? 0;
      return postMessage.call(this, message, ...rest);
    };
  });
  titles[500] += " Japanese";
  await read(titles.join("\n"));
  assert.equal(await page.evaluate(() => globalThis.sent), 1);
});

test("a link restores the titles, short or long, and a damaged one is ignored", async () => {
  await open();
  for (const text of [`${CHARIZARD}\n${UMBREON}`, manyTitles(300).join("\n"), HOSTILE.slice(0, 6).join("\n")]) {
    await read(text);
    await page.waitForFunction(() => location.hash.length > 1);
    const address = page.url();
    const other = await context.newPage();
    await other.goto(address);
    await other.locator(".answer").first().waitFor();
    assert.equal(await other.inputValue("#titles"), text);
    await other.close();
  }
  for (const damaged of ["#z=AAAA", "#t=%E0%A4%A", "#z=~", "#nothing"]) {
    const other = await context.newPage();
    await other.goto(home + damaged);
    await other.locator("#loading").waitFor({ state: "hidden" });
    assert.equal(await other.inputValue("#titles"), "");
    await other.close();
  }
  assert.ok(seen.requests.every((url) => !new URL(url).search), "nothing of the titles is asked for");
  assert.deepEqual(seen.complaints, []);
});

test("works offline after the first visit", async () => {
  await open();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await server.close();
  await page.reload();
  await page.locator("#loading").waitFor({ state: "hidden" });
  await read(CHARIZARD);
  assert.match(await page.locator(".toggle").textContent(), /Charizard 4\/102/);
});

test("hostile titles are text: nothing runs, nothing is fetched, every character is shown", async () => {
  await open();
  await read(HOSTILE.join("\n"));
  const shown = await page.locator(".answer .title").allTextContents();
  assert.deepEqual(shown, HOSTILE.map((title) => title.toWellFormed()));
  for (const toggle of await page.locator(".toggle").all()) await toggle.click();
  assert.equal(await page.evaluate(() => globalThis.harmed), undefined);
  assert.equal(await page.locator("main img, main script, main style, main svg").count(), 0);
  // trusted types: even a slip in the code could not make markup of a title
  const refused = await page.evaluate(() => {
    try {
      document.createElement("p").innerHTML = "<b>x</b>";
      return false;
    } catch {
      return true;
    }
  });
  assert.ok(refused, "innerHTML is refused");
});

test("copies as JSON and as the command's CSV", async () => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open();
  const titles = [CHARIZARD, UMBREON, "lot of 3: Pikachu 58/102, Squirtle 63/102", 'Charizard "ex", holo', "Pikachu promo", ...HOSTILE.slice(0, 3), ...manyTitles(40)];
  await read(titles.join("\n"));
  await page.click("#copy-json");
  const json = await page.evaluate(() => navigator.clipboard.readText());
  assert.deepEqual(JSON.parse(json).map(({ title }) => title), titles);
  await page.click("#copy-csv");
  const csv = await page.evaluate(() => navigator.clipboard.readText());
  const { TITLEDEX_CLI } = process.env;
  assert.ok(TITLEDEX_CLI, "run scripts/browser: it sets the path of the command");
  const command = spawnSync(TITLEDEX_CLI, ["parse", "--format", "csv", "--catalogue", "dist/playground/titledex/catalogue/all.pack"], { input: `${titles.join("\n")}\n`, encoding: "utf8", maxBuffer: 1 << 26 });
  assert.deepEqual(csv.split("\n"), command.stdout.split("\n"), command.stderr);
});

test("keyboard alone: to the answers, down, open, a card, back", async () => {
  await open();
  await read([CHARIZARD, "Pikachu holo promo PSA 10", UMBREON].join("\n"));
  await page.focus("#titles");
  await page.keyboard.press("Control+Enter");
  const at = () => page.evaluate(() => [...document.querySelectorAll(".toggle")].indexOf(document.activeElement));
  assert.equal(await at(), 0);
  await page.keyboard.press("ArrowDown");
  assert.equal(await at(), 1);
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".toggle").nth(1).getAttribute("aria-expanded"), "true");
  await page.keyboard.press("Tab");
  assert.match(await page.evaluate(() => document.activeElement.className), /card/);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  assert.equal(await page.locator(".card[aria-pressed=true]").getAttribute("data-card"), "1");
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.id), "titles");
});

test("another catalogue can be chosen, and a failed load is reported and retried", async () => {
  await open();
  server.broken.add("/catalogue/english.pack");
  await page.selectOption("#catalogue", "english");
  await page.locator("#failure").waitFor();
  assert.match(await page.locator("#failure-text").textContent(), /could not be loaded/);
  server.broken.clear();
  await page.click("#retry");
  await page.locator("#failure").waitFor({ state: "hidden" });
  await read(CHARIZARD);
  assert.match(await page.locator(".toggle").textContent(), /Charizard/);
});

for (const colorScheme of ["light", "dark"]) {
  for (const width of [360, 1280]) {
    test(`accessible and within the width: ${colorScheme}, ${width} px`, async () => {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await open();
      await page.click("#examples");
      await page.locator(".answer").nth(8).waitFor();
      for (const at of [1, 5, 6]) await page.locator(".toggle").nth(at).click();
      assert.deepEqual(await seriousFaults(page), []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, "scrolls sideways");
    });
  }
}
