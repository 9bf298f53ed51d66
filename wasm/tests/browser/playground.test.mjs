// The playground in Chromium, served from a sub-path. Run by scripts/browser, which has built dist/playground.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { pathToFileURL } from "node:url";
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
  return row.locator(".mark").evaluateAll((all) => all.map((mark) => `${[...mark.classList].find((name) => name.startsWith("of-")).slice(3)}: ${mark.textContent}`));
}

/** The rows that are in the document, in the order in which they are seen. */
async function rows() {
  // drawn in the frame after the one in which their room is measured
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))));
  const all = await page.locator(".grid-row").evaluateAll((all) => all.map((row) => [Number(row.getAttribute("aria-rowindex")), row.querySelector(".title").textContent]));
  return all.sort(([a], [b]) => a - b).map(([, title]) => title);
}

async function openFile(name, content) {
  await page.evaluate(() => (document.getElementById("status").textContent = ""));
  await page.locator("#file").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("read in"), undefined, { timeout: 60_000 });
}

async function saved(button) {
  await page.locator("#export summary").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
  return readFileSync(await download.path(), "utf8");
}

test("one typed title gets a large answer: card, set, printing, grade and links, with the evidence a click away", async () => {
  await open();
  assert.ok(await page.isVisible("#empty"));
  await page.locator("#titles").pressSequentially(UMBREON);
  const answer = page.locator("#single");
  // the answer to what was typed so far may stand there before
  await answer.locator(".title").getByText(UMBREON, { exact: true }).waitFor();
  await answer.locator(".named", { hasText: "Umbreon VMAX 095/069" }).waitFor();
  const words = await marks(answer);
  assert.ok(words.includes("name: ブラッキーVMAX") && words.includes("number: 095/069") && words.includes("grade: PSA"), words.join("; "));
  assert.match(await answer.locator(".verdict").textContent(), /Match.*sure.*Eevee Heroes.*GradePSA 10/s);
  assert.doesNotMatch(await answer.textContent(), /100\.?0?%/);
  assert.equal(await answer.locator(".evidence").isVisible(), false);
  await answer.locator(".why summary").click();
  assert.match(await answer.locator(".card").first().textContent(), /Eevee Heroes.*asia:S6a-095/s);
  assert.match(await answer.locator(".evidence tbody tr").first().textContent(), /number.*\+\d/);
  assert.match(await answer.locator(".evidence tfoot").textContent(), /sum\+\d+\.\d\d/);
  await read(CHARIZARD);
  const addresses = await answer.locator(".links a").evaluateAll((all) => all.map((link) => link.href));
  assert.ok(addresses.some((address) => /^https:\/\/www\.tcgplayer\.com\/product\/\d+$/.test(address)), addresses.join(" "));
  assert.ok(addresses.some((address) => /^https:\/\/www\.cardmarket\.com\/en\/Pokemon\/Products\?idProduct=\d+$/.test(address)), addresses.join(" "));
});

test("pictures are asked for only when they are switched on", async () => {
  await open();
  await read(CHARIZARD);
  assert.equal(await page.locator(".art img").count(), 0);
  const wanted = [];
  await context.route("https://tcgplayer-cdn.tcgplayer.com/**", (route) => {
    wanted.push(route.request().url());
    return route.fulfill({ contentType: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg" width="63" height="88"/>' });
  });
  await page.check("#pictures");
  await page.waitForFunction(() => document.querySelector(".art img")?.complete);
  assert.match(wanted[0], /\/product\/\d+_400w\.jpg$/);
  seen.requests = seen.requests.filter((url) => !wanted.includes(url));
  await page.reload();
  await page.locator("#loading").waitFor({ state: "hidden" });
  assert.ok(await page.isChecked("#pictures"), "the choice is kept");
  seen.requests = seen.requests.filter((url) => !url.startsWith("https://tcgplayer-cdn."));
});

test("an ambiguous title says what would settle it, and another card can be chosen or found", async () => {
  await open();
  await read("Pikachu holo promo PSA 10");
  assert.match(await page.locator(".settle").textContent(), /number/);
  assert.ok((await page.locator(".settle .chips li").count()) > 1);
  await page.locator(".why summary").click();
  await page.locator(".card").nth(1).click();
  assert.equal(await page.locator(".card[aria-pressed=true]").count(), 1);
  const card = (await page.locator(".card[aria-pressed=true] .card-name").textContent()).trim();
  assert.ok((await page.locator(".evidence .about").textContent()).startsWith(card));
  await page.locator(".candidate", { hasText: card }).getByRole("button").click();
  await page.locator(".named", { hasText: card }).waitFor();
  assert.match(await page.locator(".verdict").textContent(), /chosen by you/);
  // a search completes what is typed, and its cards can be chosen as well
  await page.locator(".others summary", { hasText: "Find another card" }).click();
  await page.getByRole("combobox", { name: "Find another card" }).fill("umbreon vm");
  await page.locator(".finder .candidate", { hasText: "Umbreon VMAX 215/203" }).getByRole("button").click();
  await page.locator(".named", { hasText: "Umbreon VMAX 215/203" }).waitFor();
  assert.equal(JSON.parse(await saved("#save-json"))[0].chosen.cardId, "swsh7-215");
  await page.click(".undo");
  await page.locator(".named", { hasText: "several cards" }).waitFor();
});

/** The files of games beside Pokémon that were asked for, by whomever. */
const ofGames = () => seen.requests.map((url) => new URL(url).pathname.slice(PATH.length)).filter((path) => /^titledex\/games|^titledex\/catalogue\/.*\/|^words\/(?!pokemon)/.test(path));

test("a title of another game offers its cards, which are fetched when they are asked for, and kept", async () => {
  const magic = "MTG Sheoldred, the Apocalypse DMU 107 borderless";
  await open();
  await read(CHARIZARD);
  assert.doesNotMatch(await page.locator(".where").textContent(), /Pokémon/);
  assert.equal(await page.isVisible("#offers"), false);
  await read(`${CHARIZARD}\n${magic}\n${magic} foil`);
  assert.equal(await page.locator("#offers").textContent(), "2 titles look like Magic: load its cards");
  await read(magic);
  // the service worker has fetched what it keeps, and nothing of other games either
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  assert.deepEqual(ofGames(), []);
  assert.deepEqual(await seriousFaults(page), []);
  await page.getByRole("button", { name: "This looks like Magic: load its cards" }).click();
  await page.locator(".named", { hasText: "Sheoldred, the Apocalypse" }).waitFor();
  assert.match(await page.locator(".where").textContent(), /Dominaria United.*Magic/);
  assert.equal(await page.isVisible("#offers"), false);
  const packs = () => [...new Set(ofGames().filter((path) => path.endsWith(".pack")))].sort();
  assert.deepEqual(packs(), ["titledex/catalogue/magic/all.pack"]);
  // both games are open now, and say so
  await read(`${CHARIZARD}\n${magic}`);
  assert.deepEqual(await page.locator(".grid-row .set").allTextContents(), ["Pokémon · Base Set", "Magic · Dominaria United"]);
  await page.waitForFunction(() => location.hash.endsWith("&games=pokemon-magic"));
  const link = page.url();
  await page.reload();
  await page.locator(".grid-row", { hasText: "Sheoldred" }).waitFor();
  assert.match(await page.locator("#games summary").textContent(), /Pokémon and Magic/);
  // whoever follows the link reads the same, and keeps their own choice
  const other = await browser.newContext();
  const visitor = await other.newPage();
  await visitor.goto(link);
  await visitor.locator(".grid-row .set", { hasText: "Magic · Dominaria United" }).waitFor();
  await visitor.goto(home);
  await visitor.reload();
  assert.equal(await visitor.locator("#games summary").textContent(), "Pokémon");
  await other.close();
});

test("games are chosen in a menu, one at least; what one types into a search is completed from their names", async () => {
  await open();
  await page.locator("#games summary").click();
  await page.getByRole("checkbox", { name: "One Piece" }).check();
  await page.getByRole("checkbox", { name: "Pokémon" }).uncheck();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#games summary").textContent(), "One Piece");
  await read("Roronoa Zoro OP01-025 SR Romance Dawn");
  await page.locator(".named", { hasText: "Roronoa Zoro" }).waitFor();
  await page.locator(".others summary", { hasText: "Find another card" }).click();
  await page.getByRole("combobox", { name: "Find another card" }).fill("portgas");
  await page.locator(".finder .candidate", { hasText: "Portgas.D.Ace OP02-013" }).waitFor();
  assert.deepEqual([...new Set(ofGames().filter((path) => /pack$|^words/.test(path)))].sort(), ["titledex/catalogue/onepiece/all.pack", "words/onepiece.json"]);
  await page.locator("#games summary").click();
  await page.getByRole("checkbox", { name: "One Piece" }).uncheck();
  await page.locator("#games summary", { hasText: "Pokémon" }).waitFor();
  assert.ok(await page.getByRole("checkbox", { name: "Pokémon" }).isChecked(), "one game at least is read");
  await read(CHARIZARD);
  await page.locator(".named", { hasText: "Charizard" }).waitFor();
});

test("evidence against a card points the other way", async () => {
  await open();
  await read("Charizard 5/102 Base Set 1st Edition Holo");
  await page.locator(".why summary").click();
  const against = page.locator(".bar.against").first();
  await against.waitFor();
  const [from, zero] = await against.evaluate((bar) => ["--from", "--zero"].map((name) => parseFloat(bar.style.getPropertyValue(name))));
  assert.ok(from < zero, `${from} is left of ${zero}`);
});

test("ten thousand titles: few rows exist, the last can be reached, filters count, one edit reads one title", async () => {
  await open();
  const titles = manyTitles(10_000);
  await openFile("titles.txt", titles.join("\n"));
  assert.ok((await page.locator(".grid-row").count()) < 100, "only rows near the window exist");
  assert.ok((await page.locator(".grid-row").count()) >= 20, "twenty rows on a laptop's screen");
  await page.focus("#grid");
  await page.keyboard.press("End");
  await page.locator(".grid-row.active", { hasText: titles.at(-1) }).waitFor();
  assert.equal((await rows()).at(-1), titles.at(-1));
  const counts = await page.locator(".filter .count").allTextContents();
  assert.equal(counts.reduce((sum, count) => sum + Number(count.replaceAll(",", "")), 0), 10_000);
  const wanted = Number((await page.locator(".filter .count").first().textContent()).replaceAll(",", ""));
  await page.locator(".filter").first().click();
  assert.equal(await page.getAttribute("#grid", "aria-rowcount"), String(wanted + 1));
  await page.locator(".filter").first().click();
  await page.fill("#words", "charizard psa");
  const found = titles.filter((title) => /charizard|リザードン|glurak|dracaufeu/i.test(title) && /psa/i.test(title)).length;
  const shown = Number(await page.getAttribute("#grid", "aria-rowcount")) - 1;
  assert.ok(shown > 0 && shown <= found, `${shown} of ${found}`);
  await page.fill("#words", "");
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    globalThis.sent = 0;
    Worker.prototype.postMessage = function (message, ...rest) {
      globalThis.sent += message.titles?.length ?? 0;
      return postMessage.call(this, message, ...rest);
    };
  });
  titles[500] += " Japanese";
  await page.evaluate((text) => {
    document.getElementById("status").textContent = "";
    const field = document.getElementById("titles");
    field.value = text;
    field.dispatchEvent(new Event("input"));
  }, titles.join("\n"));
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("read in"));
  assert.equal(await page.evaluate(() => globalThis.sent), 1);
});

test("rows are sorted by each column, up and down", async () => {
  await open();
  const titles = [CHARIZARD, "Pikachu holo promo PSA 10", UMBREON, "Blastoise 2/102 Base Set BGS 9.5"];
  await read(titles.join("\n"));
  for (const column of ["card", "set", "grade", "sure", "title"]) {
    const values = [];
    for (const direction of ["ascending", "descending"]) {
      const button = page.locator(`[data-column=${column}] button`);
      while ((await page.getAttribute(`[data-column=${column}]`, "aria-sort")) !== direction) await button.click();
      await page.waitForTimeout(100);
      values.push(await rows());
    }
    assert.deepEqual([...values[0]].sort(), [...titles].sort());
    assert.notDeepEqual(values[0], values[1], column);
  }
});

test("rows are selected by keyboard and mouse, and only these are exported", async () => {
  await open();
  const titles = [CHARIZARD, "Pikachu holo promo PSA 10", UMBREON, "Blastoise 2/102 Base Set"];
  await read(titles.join("\n"));
  await page.focus("#titles");
  await page.keyboard.press("Control+Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await page.keyboard.press("Shift+ArrowDown");
  assert.deepEqual(JSON.parse(await saved("#save-json")).map(({ title }) => title), titles.slice(1, 3));
  await page.locator(".grid-row", { hasText: "Blastoise" }).locator("input").click();
  assert.equal(await page.locator("#export summary").textContent(), "Export 3");
  await page.getByLabel("Select all that are shown").check();
  assert.equal(JSON.parse(await saved("#save-json")).length, 4);
});

test("what is selected, active and open stays with its title when the text is edited", async () => {
  await open();
  const titles = [CHARIZARD, "Pikachu holo promo PSA 10", UMBREON, "Blastoise 2/102 Base Set"];
  const chosen = async () => JSON.parse(await saved("#save-json")).map(({ title }) => title);
  const shown = () => page.locator("#panel .title").textContent();
  await read(titles.join("\n"));
  await page.locator(".grid-row", { hasText: UMBREON }).locator("input").click();
  await page.locator(".grid-row", { hasText: UMBREON }).locator(".card-cell").click();
  await page.locator("#panel .why summary").click();
  // a line above it, one below it, and another order
  for (const edited of [["Gengar 5/62 Fossil", ...titles], ["Gengar 5/62 Fossil", ...titles, CHARIZARD], [...titles].reverse()]) {
    await read(edited.join("\n"));
    assert.deepEqual(await chosen(), [UMBREON]);
    assert.equal(await shown(), UMBREON);
    assert.ok(await page.locator("#panel .evidence").isVisible(), "the panel is as it was left");
    assert.equal(await page.locator(".grid-row.active .title").textContent(), UMBREON);
  }
  // the title itself
  const other = UMBREON.replace("PSA10", "PSA9");
  await read([titles[0], UMBREON, titles[1]].join("\n"));
  await read([titles[0], other, titles[1]].join("\n"));
  assert.deepEqual(await chosen(), [other]);
  assert.equal(await shown(), other);
  // without it nothing is selected or open, and all is exported
  await read([titles[0], titles[1]].join("\n"));
  assert.deepEqual(await chosen(), [titles[0], titles[1]]);
  assert.ok(await page.locator("#panel").isHidden());
  // another text with a title in its place is no edit
  await page.locator(".grid-row").nth(1).locator("input").click();
  await openFile("list.txt", `${titles[0]}\n${titles[3]}`);
  assert.deepEqual(await chosen(), [titles[0], titles[3]]);
});

test("a table's other columns are carried, and no cell of the export is a formula", async () => {
  await open();
  await openFile("stock.csv", '\uFEFFsku;"Item title";price\r\nA1;"Charizard 4/102; ""Base Set""";12,50\r\n;;\r\n=1+1;@Blastoise 2/102 Base Set;-3\r\n');
  assert.equal(await page.inputValue("#titles"), 'Charizard 4/102; "Base Set"\n@Blastoise 2/102 Base Set');
  const [heads, first, second] = (await saved("#save-csv")).split("\n");
  assert.match(heads, /,errorMessage,row\.sku,row\.price$/);
  assert.match(first, /^"Charizard 4\/102; ""Base Set""",.*,A1,"12,50"$/);
  assert.match(second, /^'@Blastoise.*,'=1\+1,-3$/);
  assert.deepEqual(JSON.parse(await saved("#save-json")).map(({ row }) => row.sku), ["A1", "=1+1"]);
  await openFile("plain.txt", "Charizard 4/102\nBlastoise, 2/102\n");
  assert.equal(await page.inputValue("#titles"), "Charizard 4/102\nBlastoise, 2/102");
  assert.equal((await saved("#save-csv")).split("\n")[0].includes("row."), false);
});

test("of a file it is said what may be cut, and that it has no titles", async () => {
  await open();
  await openFile("stock.csv", `sep=;\r\nsku;title\r\nA1;${CHARIZARD}; sealed\r\nA2;${UMBREON}\r\n`);
  assert.equal(await page.inputValue("#titles"), `${CHARIZARD}\n${UMBREON}`);
  assert.match(await page.textContent("#status"), /^2 titles read in .*; 1 row has more cells than the first of stock\.csv: a title in it may be cut short$/);
  await read(CHARIZARD);
  assert.doesNotMatch(await page.textContent("#status"), /stock/);
  await page.locator("#file").setInputFiles({ name: "odd", mimeType: "text/plain", buffer: Buffer.from("\n\n") });
  await page.locator("#status", { hasText: "odd has no titles" }).waitFor();
  await page.evaluate(() => new Promise((done) => setTimeout(done, 200)));
  assert.equal(await page.textContent("#status"), "odd has no titles");
  // the name of a column without commas beside it
  await openFile("one.csv", `Title\r\nPikachu, holo, promo\r\n`);
  assert.equal(await page.inputValue("#titles"), "Pikachu, holo, promo");
  await openFile("odd", '"\t"\n');
  assert.deepEqual(seen.complaints, []);
});

test("Parquet has the cells of the CSV, and what writes it is fetched for it alone", async () => {
  await open();
  await openFile("stock.csv", "title,sku\n1999 Pokemon Base Set Shadowless Charizard #4 Holo PSA 9 MINT x2,A1\nPikachu holo promo PSA 10,\n");
  const writers = () => seen.requests.filter((url) => url.endsWith("/parquet.js"));
  assert.deepEqual(writers(), []);
  await page.locator("#export summary").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-parquet")]);
  // by the page, and by its service worker for it
  assert.equal(new Set(writers()).size, 1);
  const bytes = readFileSync(await download.path());
  const { parquetReadObjects } = await import(pathToFileURL(createRequire(new URL("../../package/package.json", import.meta.url)).resolve("hyparquet")));
  const rows = await parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) });
  const [heads] = (await saved("#save-csv")).split("\n");
  assert.deepEqual(Object.keys(rows[0]), heads.split(","));
  const [charizard, pikachu] = rows;
  assert.deepEqual([charizard.cardId, charizard.grade, charizard.year, charizard.quantity, charizard["row.sku"]], ["base1-4", 9, 1999, 2, "A1"]);
  assert.ok(charizard.outcomeConfidence > 0.5 && charizard.outcomeConfidence < 1);
  assert.deepEqual([pikachu.outcome, pikachu.year, pikachu["row.sku"], pikachu.set], ["ambiguous", null, null, null]);
  assert.ok(pikachu.otherCards.includes("|"));
});

test("titles are grouped by card, in the order that is chosen", async () => {
  await open();
  const titles = ["Charizard 4/102 Base Set PSA 9", "Blastoise 2/102 Base Set", "Pikachu holo promo PSA 10", "Base Set Charizard 4/102 holo NM", "Pikachu holo promo", "Blastoise 2/102 Base Set LP"];
  await read(titles.join("\n"));
  const button = page.getByRole("button", { name: "Group by card" });
  await button.click();
  const group = ([...places]) => places.map((at) => titles[at]);
  // titles that name no one card stay where they are
  assert.deepEqual(await rows(), group([0, 3, 1, 5, 2, 4]));
  assert.deepEqual(await page.locator(".begins .times").allTextContents(), [" ×2", " ×2", "", ""]);
  await page.locator("[data-column=card] button").click();
  assert.deepEqual((await rows()).slice(0, 4), group([1, 5, 0, 3]));
  await button.click();
  await page.locator("[data-column=at] button").click();
  assert.deepEqual(await rows(), titles);
  assert.equal(await page.locator(".begins").count(), 0);
});

test("a link restores the titles, short or long, and a damaged one is ignored", async () => {
  await open();
  for (const text of [`${CHARIZARD}\n${UMBREON}`, manyTitles(300).join("\n"), HOSTILE.slice(0, 6).join("\n")]) {
    if (await page.isHidden("#titles")) await page.click("#edit");
    await read(text);
    await page.waitForFunction(() => location.hash.length > 1);
    const address = page.url();
    const other = await context.newPage();
    await other.goto(address);
    await other.locator(".grid-row").first().waitFor();
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
  assert.match(await page.locator(".named").textContent(), /Charizard 4\/102/);
});

test("hostile titles are text: nothing runs, nothing is fetched, every character is shown", async () => {
  await open();
  await read(HOSTILE.join("\n"));
  assert.deepEqual(await rows(), HOSTILE.map((title) => title.toWellFormed()));
  for (let at = 0; at < HOSTILE.length; at += 1) {
    await page.locator(`#row-${at} .card-cell`).click();
    await page.locator("#panel .why summary").click();
    assert.equal(await page.locator("#panel .title").textContent(), HOSTILE[at].toWellFormed());
  }
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
  const titles = [CHARIZARD, UMBREON, "lot of 3: Pikachu 58/102, Squirtle 63/102", 'Charizard "ex", holo', "=1+1 Pikachu promo", "-1.5", ...HOSTILE.slice(0, 3), ...manyTitles(40)];
  await read(titles.join("\n"));
  await page.locator("#export summary").click();
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

test("keyboard alone: to the answers, down, open, choose, back", async () => {
  await open();
  await read([CHARIZARD, "Pikachu holo promo PSA 10", UMBREON].join("\n"));
  await page.focus("#titles");
  await page.keyboard.press("Control+Enter");
  const active = () => page.getAttribute("#grid", "aria-activedescendant");
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.getElementById("grid").getAttribute("aria-activedescendant") === "row-1");
  await page.keyboard.press("Enter");
  await page.locator("#panel .named", { hasText: "several cards" }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.className), "quiet shut");
  await page.keyboard.press("Tab");
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^Choose: Pikachu/);
  await page.keyboard.press("Enter");
  await page.locator("#panel .verdict", { hasText: "chosen by you" }).waitFor();
  await page.focus("#panel .shut");
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.id), "grid");
  assert.equal(await active(), "row-1");
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
  assert.match(await page.locator(".named").textContent(), /Charizard/);
});

for (const colorScheme of ["light", "dark"]) {
  for (const width of [360, 768, 1280, 1920]) {
    test(`accessible and within the width: ${colorScheme}, ${width} px`, async () => {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await open();
      const sound = async (state) => {
        assert.deepEqual(await seriousFaults(page), [], state);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, `${state} scrolls sideways`);
      };
      await sound("empty");
      await read("Pikachu holo promo PSA 10");
      await page.locator(".why summary").click();
      await sound("one title");
      await page.click("#examples");
      await page.locator("#row-5").waitFor();
      assert.ok((await page.locator(".grid-row").count()) >= 6);
      await sound("nine titles");
      await page.locator("#row-5 .card-cell").click();
      await page.locator("#panel .why summary").click();
      await sound("nine titles, one open");
    });
  }
}
