// The extension in Chromium, on pages built like the sites that it is for. Run by scripts/browser, which has built dist/extension-chromium.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { foreign, seriousFaults } from "./chromium.mjs";
import { HOSTS, marked, Marks, start } from "./extension.mjs";
import { serve } from "./server.mjs";
import { HOSTILE, manyTitles } from "./titles.mjs";

let server, browser;
const origins = () => [...Object.values(HOSTS), "plain.localhost", "off.localhost"].map((host) => `http://${host}:${server.port}`);
before(async () => {
  server = await serve({ "/": "wasm/tests/pages" });
  browser = await start(server.address("/plain.html", "plain.localhost"), { own: ["http://plain.localhost/*"] });
});
after(async () => {
  await browser?.close();
  await server?.close();
});

async function visit(path, host) {
  const page = await browser.context.newPage();
  // a tab that lies behind another is drawn by no browser, and what is not drawn is not near
  await page.bringToFront();
  await page.goto(server.address(path, host));
  if (host !== "off.localhost") await marked(page);
  return { page, marks: await Marks.of(page) };
}

/** Where every element of the page's own lies. */
function layout(page) {
  return page.evaluate(() => {
    const boxes = [...document.querySelectorAll("body, body *")].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return `${element.localName} ${x} ${y} ${width} ${height}`;
    });
    return [...boxes, `${document.documentElement.scrollWidth} ${document.documentElement.scrollHeight}`];
  });
}

test("a general auction: card, set, grade and confidence; ambiguous and sealed are labelled", async () => {
  const { page, marks } = await visit("/auction.html", HOSTS.ebay);
  const charizard = await marks.badge("Charizard 4/102");
  assert.match(charizard.text, /^Charizard 4\/102 · Base Set · PSA 9.*%$/);
  assert.equal(charizard.tone, "sure");
  // neither the word of highlighting before the title nor the one for screen readers is of the title
  assert.ok(charizard.label.endsWith("Title: 1999 Pokemon Base Set Shadowless Charizard #4 Holo PSA 9 MINT"), charizard.label);
  const pikachu = await marks.badge("Pikachu holo promo");
  assert.equal(pikachu.tone, "several");
  assert.match(pikachu.text, /several cards · which number\?/);
  const box = await marks.badge("Booster Box");
  assert.equal(box.tone, "other");
  assert.match(box.text, /Sealed product/);
  await page.close();
});

test("a fixed-price shop and a Japanese flea market, whose titles may be in an attribute", async () => {
  const shop = await visit("/fixed.html", HOSTS.tcgplayer);
  assert.match((await shop.marks.badge("Umbreon VMAX 215/203")).text, /Evolving Skies/);
  assert.match((await shop.marks.badge("Glurak 4/102")).text, /Charizard 4\/102/);

  await shop.page.close();
  const flea = await visit("/flea.html", HOSTS.mercari);
  assert.match((await flea.marks.badge("ブラッキーVMAX")).text, /Umbreon VMAX 095\/069.*PSA 10/);
  assert.match((await flea.marks.badge("まとめ売り")).text, /Lot/);
  assert.match((await flea.marks.badge("リザードンex SAR")).label, /Charizard ex.*Title: リザードンex SAR 201\/165 SV2a 美品$/);
  await flea.page.close();
});

/** What each page that is built like a site's holds: every title, and the price asked where the page has one. */
const PAGES = [
  ["ebay", "/auction.html", [["1999 Pokemon Base Set Shadowless Charizard #4 Holo PSA 9 MINT", 1200, "USD"], ["Pikachu holo promo PSA 10", 30, "USD"], ["Pokemon Evolving Skies Booster Box 36 Packs Sealed", 540, "USD"]]],
  ["ebay", "/auction-item.html", [["Gengar 5/62 Fossil Holo PSA 9 MINT", 180, "USD"], ["Snorlax 11/64 Jungle Holo", 40, "USD"]]],
  ["tcgplayer", "/fixed.html", [["Umbreon VMAX 215/203 Evolving Skies", 900, "EUR"], ["Glurak 4/102 Holo Base Set", 250, "EUR"]]],
  ["tcgplayer", "/fixed-item.html", [["Gengar - 5/62 - Fossil", 180, "USD"]]],
  ["cardmarket", "/offers.html", [["Blastoise (Base Set 2/102)", 1250, "EUR"], ["Umbreon VMAX 215/203 Evolving Skies", 900, "EUR"]]],
  ["cardmarket", "/offers-item.html", [["Gengar (FO 5) Fossil - Singles"]]],
  ["mercari-us", "/cells.html", [["Gengar 5/62 Fossil Holo 1st Edition", 180, "USD"], ["Umbreon VMAX 215/203 Evolving Skies", 950.5, "USD"], ["Snorlax 11/64 Jungle Holo", 40, "USD"]]],
  ["facebook", "/market.html", [["Dark Blastoise 3/82 Team Rocket Holo", 65, "USD"], ["Snorlax 11/64 Jungle Holo", 25, "USD"]]],
  ["vinted", "/feed.html", [["Carte Pokémon Dracaufeu 4/102 Set de Base", 120, "EUR"], ["Snorlax 11/64 Jungle Holo", 40, "EUR"]]],
  ["vinted", "/feed-item.html", [["Ectoplasma 5/62 Fossile Holo", 75.5, "EUR"]]],
  ["kleinanzeigen", "/adverts.html", [["Glurak 4/102 Basis Set Holo", 250, "EUR"], ["Turtok 2/102 Basis Set Holo", 1250, "EUR"], ["Relaxo 11/64 Dschungel"]]],
  ["marktplaats", "/advertenties.html", [["Charizard 4/102 Base Set Holo", 300, "EUR"], ["Blastoise 2/102 Base Set Holo", 1250, "EUR"], ["Snorlax 11/64 Jungle Holo"]]],
  ["leboncoin", "/annonces.html", [["Dracaufeu 4/102 Set de Base", 1200.5, "EUR"], ["Tortank 2/102 Set de Base Holo", 120, "EUR"], ["Ronflex 11/64 Jungle Holo", 40, "EUR"]]],
  ["mercari", "/flea.html", [["【PSA10】ブラッキーVMAX SA s6a 095/069 イーブイヒーローズ", 38000, "JPY"], ["ポケモンカード まとめ売り 引退品 ピカチュウ リザードン ミュウツー 他", 1200, "JPY"], ["リザードンex SAR 201/165 SV2a 美品"]]],
  ["mercari", "/flea-item.html", [["ゲンガー No.094 化石の秘密 PSA9", 45000, "JPY"]]],
  ["yahoo", "/bids.html", [["PSA10 リザードンex SAR 201/165 SV2a", 98000, "JPY"]]],
  ["rakuma", "/boxes.html", [["ブラッキーVMAX SA s6a 095/069", 38000, "JPY"]]],
  ["rakuma", "/boxes-item.html", [["ゲンガー No.094 化石の秘密 PSA9", 45000, "JPY"]]],
  ["magi", "/lots.html", [["PSA10 リザードンex SAR 201/165 SV2a", 98000, "JPY"], ["ブラッキーVMAX SA s6a 095/069", 38000, "JPY"]]],
  ["buyee", "/proxy.html", [["PSA10 リザードンex SAR 201/165 SV2a", 98000, "JPY"]]],
];
const adapters = JSON.parse(readFileSync("wasm/extension/src/sites.json", "utf8"));

test("every site has a page built like its own, with titles and prices read from it", async () => {
  assert.deepEqual(adapters.map(({ id }) => id).filter((id) => !PAGES.some(([site]) => site === id)), []);
  const page = await browser.context.newPage();
  const options = await browser.context.newPage();
  await options.goto(browser.page("options/options.html"));
  for (const [site, path, wanted] of PAGES) {
    await page.goto(server.address(path, "off.localhost"));
    // the content script's own code, in the page itself
    await page.evaluate(readFileSync("wasm/extension/src/content/find.js", "utf8"));
    const found = await page.evaluate((adapter) => {
      const { find, titleOf, askedOf } = globalThis.titledex;
      return find(document, adapter).elements.map((element) => titleOf(element, adapter)).filter(Boolean).map((entry) => [entry.text, askedOf(entry, adapter)]);
    }, adapters.find(({ id }) => id === site));
    const read = await options.evaluate(async (found) => {
      const { priceIn } = await import("../background/asked.js");
      return found.map(([text, asked]) => {
        const price = priceIn(asked ?? "");
        return price ? [text, price.amount, price.currency] : [text];
      });
    }, found);
    assert.deepEqual(read, wanted, `${site}: ${path}`);
  }
  await Promise.all([page.close(), options.close()]);
});

const CARDS = {
  cardmarket: ["/offers.html", ["Blastoise 2/102", "Umbreon VMAX 215/203"]],
  "mercari-us": ["/cells.html", ["Gengar 5/62", "Umbreon VMAX 215/203"]],
  facebook: ["/market.html", ["Dark Blastoise 3/82", "Snorlax 11/64"]],
  vinted: ["/feed.html", ["Charizard 4/102", "Snorlax 11/64"]],
  kleinanzeigen: ["/adverts.html", ["Charizard 4/102", "Blastoise 2/102"]],
  marktplaats: ["/advertenties.html", ["Charizard 4/102", "Blastoise 2/102"]],
  leboncoin: ["/annonces.html", ["Charizard 4/102", "Snorlax 11/64"]],
  yahoo: ["/bids.html", ["Charizard ex 201/165"]],
  rakuma: ["/boxes.html", ["Umbreon VMAX 095/069"]],
  magi: ["/lots.html", ["Charizard ex 201/165", "Umbreon VMAX 095/069"]],
  buyee: ["/proxy.html", ["Charizard ex 201/165"]],
};
for (const [site, [path, cards]] of Object.entries(CARDS)) {
  test(`titles are marked on pages built as ${site} builds them`, async () => {
    const { page, marks } = await visit(path, HOSTS[site]);
    for (const card of cards) await marks.badge(card);
    await page.close();
  });
}

test("a narrow badge keeps set and grade, and shortens the name", async () => {
  const { page, marks } = await visit("/auction.html", HOSTS.ebay);
  await marks.badge("Charizard 4/102");
  const { wide, narrow } = await marks.widths("Charizard", 150);
  assert.ok(narrow.name < wide.name, "the name is shortened");
  assert.equal(narrow.grade, wide.grade, "the grade is whole");
  assert.ok(narrow.set >= 20, "the set is there");
  await page.close();
});

test("with a service the details show market and asked price; only a marketplace's id is sent", async () => {
  const asked = [];
  const printing = { marketplaceId: "base1-4:shadowless-holofoil", printing: "Shadowless Holofoil" };
  const card = { ...printing, prices: { market: 500 }, printings: [{ ...printing, market: 500 }], auction: { GRADER_A_9: { smartMarketPrice: 1000 } } };
  let answer = (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ data: [card] }));
  };
  const shop = createServer((request, response) => {
    asked.push({ url: request.url, key: request.headers.authorization, body: request.headers["content-length"] });
    answer(response);
  });
  await new Promise((done) => shop.listen(0, "127.0.0.1", done));
  // a failure must not keep the tests from ending
  shop.unref();
  const settingsPage = await browser.context.newPage();
  await settingsPage.goto(browser.page("options/options.html"));
  const set = (chosen) => settingsPage.evaluate((chosen) => chrome.storage.local.set(chosen), chosen);
  await set({ prices: true, service: `http://localhost:${shop.address().port}`, key: "td_live_test" });
  const { page, marks } = await visit("/auction.html", HOSTS.ebay);
  const { box } = await marks.badge("Charizard 4/102");
  assert.deepEqual(asked, [], "nothing is asked before the details are opened");
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const details = await marks.open("20% above the market price");
  assert.match(details, /Asked.*1,200.*Market \(PSA 9 MINT\).*1,000/s);
  assert.equal(asked.length, 1);
  assert.match(asked[0].url, /^\/api\/v2\/cards\?marketplaceId=tcgplayer%3A\d+&includeAuction=true&days=90$/);
  assert.equal(asked[0].key, "Bearer td_live_test");
  // what is no answer is said, as text, and the key follows the service nowhere
  const again = async (words) => {
    await page.keyboard.press("Escape");
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    return marks.open(words);
  };
  const complaints = browser.seen.complaints.length;
  // the browser notes where it would have gone, too
  answer = (response) => response.writeHead(302, { location: "/api/v2/cards?marketplaceId=elsewhere" }).end();
  await again("the service is at another address");
  const markup = "<img src=x onerror=globalThis.harmed=1>";
  answer = (response) => response.writeHead(429, { "content-type": "application/json" }).end(JSON.stringify({ error: { message: markup } }));
  await again(`the service refuses: ${markup}`);
  answer = (response) => response.writeHead(502, { "content-type": "text/html" }).end(`<!doctype html>${markup}`);
  await again("the service fails: status 502");
  assert.deepEqual((await marks.elements()).filter((name) => name === "img"), []);
  assert.equal(asked.length, 4);
  assert.equal(await page.evaluate(() => globalThis.harmed), undefined);
  browser.seen.complaints.splice(complaints);
  await set({ prices: false, service: "", key: "" });
  await settingsPage.close();
  await page.close();
  shop.close();
});

test("a site without an adapter is read by structure, and only cards are marked", async () => {
  const { page, marks } = await visit("/plain.html", "plain.localhost");
  await marks.badge("Dark Blastoise 3/82");
  await marks.badge("Snorlax 11/64");
  assert.deepEqual((await marks.badges()).filter(({ label }) => /Delivery|All 151|this week/.test(label)), []);
  await page.close();
});

test("a site that is turned off is left alone", async () => {
  const { page, marks } = await visit("/auction.html", "off.localhost");
  await page.waitForTimeout(500);
  assert.deepEqual(await marks.elements(), []);
  await page.close();
});

test("the page's layout and links are unchanged, and clicks on a badge do not reach the page", async () => {
  for (const [path, host] of [["/auction.html", "ebay"], ["/fixed.html", "tcgplayer"], ["/flea.html", "mercari"]]) {
    const before = await browser.context.newPage();
    await before.goto(server.address(path, "off.localhost"));
    const { page, marks } = await visit(path, HOSTS[host]);
    await marks.atLeast(2);
    assert.deepEqual(await layout(page), await layout(before), path);
    await before.close();
    await page.close();
  }
  const { page, marks } = await visit("/auction.html", HOSTS.ebay);
  const { box } = await marks.badge("Charizard 4/102");
  await page.locator(".s-item__title").first().click();
  assert.deepEqual(await page.evaluate(() => globalThis.clicks), ["#itm/1"]);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const details = await marks.open("One card stands out");
  assert.match(details, /Evidence.*number: .*Base Set/s);
  assert.deepEqual(await page.evaluate(() => globalThis.clicks), ["#itm/1"]);
  await page.keyboard.press("Escape");
  assert.equal(await marks.details(), undefined);
  await page.close();
});

test("keyboard: a badge takes the focus, Enter opens, Escape closes and returns the focus", async () => {
  const { page, marks } = await visit("/plain.html", "plain.localhost");
  await marks.atLeast(2);
  for (let tabs = 0; tabs < 12 && (await marks.focused()) !== "layer"; tabs += 1) await page.keyboard.press("Tab");
  assert.equal(await marks.focused(), "layer");
  await page.keyboard.press("Enter");
  await marks.open("stands out");
  await page.keyboard.press("Escape");
  assert.equal(await marks.details(), undefined);
  assert.equal(await marks.focused(), "layer");
  // the command of the extension, as the browser would send it
  await page.evaluate(() => document.activeElement.blur());
  const worker = await browser.worker();
  await worker.evaluate(async () => {
    const [tab] = await chrome.tabs.query({ url: "http://plain.localhost/*" });
    await chrome.tabs.sendMessage(tab.id, { type: "next-mark" });
  });
  assert.equal(await marks.focused(), "layer");
  await page.close();
});

test("titles whose message failed are asked for once more soon, then when the next title comes", async () => {
  const complaints = browser.seen.complaints.length;
  const { page, marks } = await visit("/auction.html", HOSTS.ebay);
  await marks.badge("Charizard 4/102");
  const worker = await browser.worker();
  await worker.evaluate(() => {
    globalThis.asked = 0;
    chrome.runtime.onMessage.addListener(({ type }) => {
      if (type === "marks") globalThis.asked += 1;
      return false;
    });
    const { get } = chrome.storage.local;
    chrome.storage.local.get = (...given) => (globalThis.failing ? Promise.reject(new Error("not now")) : get.apply(chrome.storage.local, given));
  });
  const fail = (failing) => worker.evaluate((failing) => void (globalThis.failing = failing), failing);
  const asked = () => worker.evaluate(() => globalThis.asked);
  const add = (title) => page.evaluate((title) => globalThis.addItems([title]), title);
  await fail(true);
  await add("Blastoise 2/102 Base Set Holo");
  while ((await asked()) === 0) await page.waitForTimeout(20);
  await fail(false);
  await marks.badge("Blastoise 2/102");
  assert.equal(await asked(), 2);
  await fail(true);
  await add("Venusaur 15/102 Base Set Holo");
  await page.waitForTimeout(3000);
  assert.equal(await asked(), 4, "once more, not again and again");
  await fail(false);
  await add("Gengar 5/62 Fossil Holo");
  for (const card of ["Venusaur 15/102", "Gengar 5/62"]) await marks.badge(card);
  assert.equal(await asked(), 5);
  assert.deepEqual(browser.seen.complaints.splice(complaints), Array(3).fill("titledex: not now"));
  await page.close();
});

test("infinite scroll: titles are marked when near and released when far", async () => {
  const { page, marks } = await visit("/auction.html?scroll", HOSTS.ebay);
  await marks.badge("Charizard 4/102");
  for (let times = 0; times < 6; times += 1) {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.waitForTimeout(150);
  }
  assert.equal(await page.locator(".s-item").count(), 303);
  await marks.badge("page 6");
  const badges = await marks.badges();
  assert.ok(badges.length < 60, `${badges.length} badges for a window of some ten items`);
  assert.ok(badges.every(({ label }) => !label.includes("1999 Pokemon")), "the first is far away");
  await page.close();
});

test("a title that the page changes is read again", async () => {
  const { page, marks } = await visit("/fixed.html", HOSTS.tcgplayer);
  await marks.badge("Glurak");
  await page.locator(".product-card__title").nth(1).evaluate((title) => (title.firstChild.nodeValue = "Blastoise 2/102 Base Set"));
  await marks.badge("Blastoise 2/102");
  assert.equal((await marks.badges()).filter(({ label }) => label.includes("Glurak")).length, 0);
  await page.close();
});

test("a hostile page: markup is text, resets and removals change nothing, shadow roots are read, a cover hides", async () => {
  const { page, marks } = await visit("/hostile.html", HOSTS.ebay);
  await marks.badge("Mewtwo 10/102 Base Set Holo PSA 8");
  const badge = await marks.badge("<img src=x onerror");
  assert.ok(badge.box.height <= 24 && badge.box.width <= 400, JSON.stringify(badge.box));
  await marks.badge("<script>globalThis");
  await page.mouse.click(badge.box.x + badge.box.width / 2, badge.box.y + badge.box.height / 2);
  await marks.open("<img src=x onerror=");
  assert.equal(await page.evaluate(() => globalThis.harmed), undefined);
  const made = await marks.elements();
  assert.deepEqual(made.filter((name) => ["img", "script", "iframe", "a"].includes(name)), []);
  // a closed root: the page sees the host and no more
  assert.equal(await page.evaluate(() => document.querySelector("html > div").shadowRoot), null);
  assert.deepEqual(await page.evaluate(() => globalThis.heard.filter((what) => what.startsWith("click"))), []);
  await page.keyboard.press("Escape");
  await page.evaluate(() => {
    const cover = document.createElement("dialog");
    cover.style.cssText = "position: fixed !important; inset: 0 !important; width: 100vw !important; height: 100vh !important; background: white !important";
    document.body.append(cover);
    cover.show();
  });
  await page.waitForTimeout(300);
  assert.deepEqual((await marks.badges()).filter(({ hidden }) => !hidden), []);
  await page.close();
});

test("a page's own script finds no word of badges and details, a screen reader all of them", async () => {
  const { page, marks } = await visit("/auction.html", HOSTS.ebay);
  const badge = await marks.badge("Charizard 4/102");
  // what the page itself shows is found: the search works
  assert.equal(await page.evaluate(() => find("Shadowless Charizard")), true);
  const found = (words) =>
    page.evaluate((words) => words.filter((word) => {
      getSelection().removeAllRanges();
      return find(word, false, false, true, false, true, false);
    }), words);
  const ofBadge = ["Charizard 4/102 ·", "· Base Set ·", "one of several cards"];
  assert.deepEqual(await found(ofBadge), []);
  await page.mouse.click(badge.box.x + badge.box.width / 2, badge.box.y + badge.box.height / 2);
  const details = await marks.open("One card stands out");
  const ofDetails = ["One card stands out", "Evidence, in log-odds", "Evidence", "The title states"];
  for (const words of ofDetails) assert.ok(details.includes(words), words);
  assert.deepEqual(await found([...ofBadge, ...ofDetails]), []);
  const spoken = await marks.spoken();
  for (const words of ofDetails) assert.ok(spoken.includes(words), words);
  // nor do its elements: one element without a name of its own, and nothing in it
  const layer = await page.evaluate(() => {
    const layer = document.querySelector("html > div");
    return { attributes: layer.getAttributeNames(), text: layer.textContent, inner: layer.innerText, html: layer.innerHTML, root: layer.shadowRoot };
  });
  assert.deepEqual(layer, { attributes: ["style"], text: "", inner: "", html: "", root: null });
  assert.equal(await page.evaluate(() => document.documentElement.outerHTML.includes("titledex")), false);
  await page.close();
});

test("5,000 titles: only nearby ones are read, and the page keeps painting", async () => {
  const { page, marks } = await visit("/auction.html", HOSTS.ebay);
  await marks.badge("Charizard 4/102");
  const worker = await browser.worker();
  await worker.evaluate(() => {
    globalThis.asked = 0;
    chrome.runtime.onMessage.addListener(({ type, titles }) => {
      if (type === "marks") globalThis.asked += titles.length;
      return false;
    });
  });
  const drawn = await page.evaluate(async (titles) => {
    let frames = 0;
    let counting = true;
    const count = () => {
      frames += 1;
      if (counting) requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
    globalThis.addItems(titles);
    // the page's own work is done; from here on what runs is the extension's
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    frames = 0;
    const steps = 30;
    for (let step = 1; step <= steps; step += 1) {
      scrollTo(0, step * 400);
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 20)));
    }
    counting = false;
    return frames;
  }, manyTitles(5000));
  assert.ok(drawn >= 30, `${drawn} frames`);
  const shown = await marks.atLeast(5);
  assert.ok(shown.length < 60, `${shown.length} badges`);
  const asked = await worker.evaluate(() => globalThis.asked);
  assert.ok(asked > 0 && asked < 1500, `${asked} titles were read`);
  await page.close();
});

test("the context menu explains the selected text in place", async () => {
  for (const [title, words] of [["Umbreon VMAX 215/203 Evolving Skies PSA 10", "Umbreon VMAX 215/203"], [HOSTILE[0], "<img src=x"]]) {
    const { page, marks } = await visit("/plain.html", "plain.localhost");
    await marks.atLeast(2);
    const worker = await browser.worker();
    await worker.evaluate(async (selectionText) => {
      const [tab] = await chrome.tabs.query({ url: "http://plain.localhost/*" });
      chrome.contextMenus.onClicked.dispatch({ menuItemId: "what-card", selectionText, pageUrl: tab.url, editable: false }, tab);
    }, title);
    assert.match(await marks.open(words), /Evidence/);
    assert.equal(await page.evaluate(() => globalThis.harmed), undefined);
    await page.close();
  }
});

test("the popup reads a pasted title and shows its evidence", async () => {
  const page = await browser.context.newPage();
  await page.setViewportSize({ width: 420, height: 600 });
  await page.goto(browser.page("popup/popup.html"));
  await page.fill("#title", "【PSA10】ブラッキーVMAX SA s6a 095/069 イーブイヒーローズ");
  await page.locator(".named", { hasText: "Umbreon VMAX 095/069" }).waitFor();
  await page.locator(".why summary").click();
  assert.match(await page.locator(".evidence").textContent(), /sum\+/);
  for (const title of HOSTILE) {
    await page.fill("#title", title);
    await page.waitForFunction((text) => document.querySelector("#answer .title")?.textContent === text, title.replace(/\s+/gu, " ").trim().toWellFormed());
  }
  assert.equal(await page.evaluate(() => globalThis.harmed), undefined);
  assert.deepEqual(await seriousFaults(page), []);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  await page.close();
});

test("axe finds nothing serious in badges and their details, light and dark", async () => {
  const page = await browser.context.newPage();
  await page.goto(browser.page("popup/popup.html"));
  // a closed shadow root hides from axe too: the content scripts' own code, in a page that opens it
  await page.evaluate(() => {
    const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function (given) {
      return attach.call(this, { ...given, mode: "open" });
    };
    document.body.replaceChildren(document.createElement("main"));
  });
  for (const script of ["place", "badge"]) await page.evaluate(readFileSync(new URL(`../../extension/src/content/${script}.js`, import.meta.url), "utf8"));
  const tones = await page.evaluate(async (titles) => {
    const [{ read }, { mark }] = await Promise.all([import("/background/reader.js"), import("/background/mark.js")]);
    const marks = (await read(titles)).map((answer) => mark(answer, { threshold: 0.9 }));
    marks.flatMap((mark, at) => ["full", "short", "dot"].map((style) => globalThis.titledex.badge(titles[at], mark, style))).forEach((badge, at) => {
      badge.style.top = `${at * 24}px`;
      badge.hidden = false;
    });
    return marks.map(({ tone }) => tone);
  }, ["Charizard 4/102 Base Set PSA 9", "Pikachu holo promo", "Charizard 999/102 Base Set", "Scarlet & Violet Booster Box", "Dark Blastoise"]);
  assert.ok(["sure", "several", "missing", "other"].every((tone) => tones.includes(tone)), tones.join());
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await seriousFaults(page), [], colorScheme);
    await page.evaluate(() => document.querySelector("html > div").shadowRoot.querySelector(".badge").click());
    await page.locator(".details").waitFor();
    assert.deepEqual(await seriousFaults(page), [], `${colorScheme}, with details`);
    await page.keyboard.press("Escape");
  }
  await page.close();
});

test("options are saved and applied: style, threshold, catalogue, sites", async () => {
  const page = await browser.context.newPage();
  await page.goto(browser.page("options/options.html"));
  await page.locator("#info", { hasText: "cards" }).waitFor();
  assert.deepEqual(await seriousFaults(page), []);
  assert.equal(await page.locator("#sites input:checked").count(), Object.keys(HOSTS).length);
  const before = await page.locator("#info").textContent();
  await page.check("input[value=short]");
  await page.check("input[value=title]");
  await page.locator("#threshold").fill("0.99");
  await page.selectOption("#catalogue", "english");
  await page.waitForFunction((before) => document.getElementById("info").textContent !== before, before);
  const { page: shop, marks } = await visit("/fixed.html", HOSTS.tcgplayer);
  assert.equal((await marks.badge("Glurak")).text, "Charizard 4/102");
  await shop.close();
  await page.fill("#host", "not a host!");
  await page.click("#add button");
  assert.match(await page.locator("#status").textContent(), /name of a site/);
  await page.locator("#sites input[value=tcgplayer]").uncheck();
  await page.waitForFunction(async () => !(await chrome.scripting.getRegisteredContentScripts())[0]?.matches.includes("http://fixed.localhost/*"));
  await page.reload();
  // the page shows what was saved once it has read it
  await page.locator("input[value=short]:checked").waitFor();
  assert.equal(await page.locator("#sites input:checked").count(), Object.keys(HOSTS).length - 1);
  await page.evaluate((chosen) => chrome.storage.local.set(chosen), { sites: Object.keys(HOSTS), style: "full", place: "picture", threshold: 0.8, catalogue: "all" });
  await page.close();
});

test("games are chosen on the options page, and their cards found; one game at least is read", async () => {
  const magic = "MTG Sheoldred, the Apocalypse DMU 107 borderless";
  const popup = await browser.context.newPage();
  const ask = async (title) => {
    await popup.goto(browser.page("popup/popup.html"));
    await popup.fill("#title", title);
  };
  await ask(magic);
  await popup.locator(".verdict", { hasText: "Another game" }).waitFor();
  const page = await browser.context.newPage();
  await page.goto(browser.page("options/options.html"));
  await page.locator("#info", { hasText: "cards" }).waitFor();
  const before = await page.locator("#info").textContent();
  await page.getByRole("checkbox", { name: "Magic" }).check();
  await page.waitForFunction((before) => document.getElementById("info").textContent !== before, before);
  await ask(magic);
  await popup.locator(".where", { hasText: "Dominaria United · mythic · English · Magic" }).waitFor();
  await ask("Charizard 4/102 Base Set PSA 9");
  await popup.locator(".where", { hasText: /Base Set.*Pokémon/ }).waitFor();
  assert.deepEqual(await seriousFaults(page), []);
  await page.getByRole("checkbox", { name: "Magic" }).uncheck();
  await page.waitForFunction((before) => document.getElementById("info").textContent === before, before);
  await page.getByRole("checkbox", { name: "Pokémon" }).click();
  await page.locator("#status", { hasText: "One game at least" }).waitFor();
  assert.ok(await page.getByRole("checkbox", { name: "Pokémon" }).isChecked());
  await Promise.all([page.close(), popup.close()]);
});

test("damaged settings fall back to the defaults", async () => {
  const page = await browser.context.newPage();
  await page.goto(browser.page("options/options.html"));
  const sound = await page.evaluate(async () => (await import("../background/settings.js")).sound({ sites: "x", own: [1, "https://a.example/*"], style: "<b>", threshold: 7, others: 1, catalogue: "../../x", games: ["poker"] }));
  assert.deepEqual(sound, { sites: [], own: ["https://a.example/*"], games: ["pokemon"], catalogue: "all", style: "full", place: "picture", threshold: 0.8, others: true, prices: false, service: "", key: "" });
  await page.close();
});

test("a page can request marks only", async () => {
  const { page } = await visit("/auction.html", HOSTS.ebay);
  assert.equal(await page.evaluate(() => typeof globalThis.chrome?.runtime?.sendMessage), "undefined", "the page cannot speak to the extension");
  const worker = await browser.worker();
  const patterns = await worker.evaluate(async () => chrome.runtime.getManifest());
  assert.deepEqual(patterns.permissions, ["activeTab", "contextMenus", "scripting", "storage"]);
  assert.equal(patterns.web_accessible_resources, undefined);
  await page.close();
});

test("no request left the machine, and no error was logged", () => {
  const complaints = browser.seen.complaints.filter((text) => !/Content Security Policy/.test(text));
  // but for the service that the test of prices runs on this machine
  const own = (url) => /^http:\/\/localhost:\d+\/api\/v2\/cards\?marketplaceId=/.test(url);
  assert.deepEqual(foreign(browser.seen.requests, ...origins()).filter((url) => !own(url)), []);
  assert.deepEqual(complaints, []);
});
