// The package in Chromium, in a page and in a worker, must say what it says under Node. Run by scripts/browser, which sets the paths:
// TITLEDEX_PACKAGE (the package's folder), TITLEDEX_CHROMIUM (the browser), TITLEDEX_BUILT (what vite made of the test project).

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const { TITLEDEX_PACKAGE, TITLEDEX_CHROMIUM, TITLEDEX_BUILT } = process.env;
assert.ok(TITLEDEX_PACKAGE && TITLEDEX_CHROMIUM && TITLEDEX_BUILT, "run scripts/browser: it sets the paths");
const folder = resolve(TITLEDEX_PACKAGE);
const { TitleDex } = await import(pathToFileURL(join(folder, "index.js")));
const ROOT = new URL("../../../", import.meta.url);
const titles = readFileSync(new URL("fixtures/synthetic-titles.jsonl", ROOT), "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line).title);
titles.push("【PSA10】ブラッキーVMAX SA s6a 095/069 イーブイヒーローズ", "🔥 Charizard 4/102 🔥", "<b>Snorlax</b> 11/64", "");

const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };

/** Serves a folder; every address that is asked for goes into `asked`. */
async function serve(folder, asked) {
  const server = createServer((request, response) => {
    asked.push(request.url);
    const path = normalize(new URL(request.url, "http://x").pathname);
    try {
      const bytes = path === "/" ? front(folder) : readFileSync(join(folder, path));
      response.writeHead(200, { "content-type": TYPES[extname(path) || ".html"] ?? "application/octet-stream", "content-length": bytes.length }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  servers.push(server);
  return `http://127.0.0.1:${server.address().port}`;
}

function front(folder) {
  const page = join(folder, "index.html");
  return existsSync(page) ? readFileSync(page) : Buffer.from("<!doctype html><title>titledex</title>");
}

const servers = [];
const asked = [];
let browser, page, expected;

before(async () => {
  const dex = await TitleDex.load({ catalogue: join(folder, "catalogue/english-japanese.pack") });
  expected = titles.map((title) => dex.parseJson(title));
  dex.free();
  const origin = await serve(folder, asked);
  browser = await chromium.launch({ executablePath: TITLEDEX_CHROMIUM, args: ["--no-sandbox"] });
  page = await browser.newPage();
  await page.goto(origin);
});
after(async () => {
  await browser?.close();
  for (const server of servers) server.close();
});

test("a page answers like Node, with the module compiled while it arrives", async () => {
  const said = await page.evaluate(async (titles) => {
    const { TitleDex } = await import("/index.js");
    let streamed = 0;
    const compile = WebAssembly.compileStreaming;
    WebAssembly.compileStreaming = (...given) => (streamed++, compile.apply(WebAssembly, given));
    const parts = new Set();
    const dex = await TitleDex.load({ catalogue: "/catalogue/english-japanese.pack", onProgress: ({ part }) => parts.add(part) });
    const lines = titles.map((title) => dex.parseJson(title));
    const batch = JSON.stringify(dex.parseBatch(titles)) === JSON.stringify(lines.map((line) => JSON.parse(line)));
    return { lines, batch, streamed, parts: [...parts].sort() };
  }, titles);
  assert.deepEqual(said.lines, expected);
  assert.deepEqual({ ...said, lines: 0 }, { lines: 0, batch: true, streamed: 1, parts: ["catalogue", "module"] });
});

test("a worker answers like Node, and its errors have codes", async () => {
  const said = await page.evaluate(async (titles) => {
    const { TitleDexWorker } = await import("/worker.js");
    const parts = new Set();
    const dex = await TitleDexWorker.load({ catalogue: "/catalogue/english-japanese.pack", onProgress: ({ part }) => parts.add(part) });
    const lines = await Promise.all(titles.map((title) => dex.parseJson(title)));
    const answers = await dex.parseBatch(titles);
    const one = await dex.parse(titles[0]);
    const { cards } = await dex.catalogueInfo();
    const code = async (call) => call().then(() => "none", (error) => [error.name, error.code].join());
    const codes = [await code(() => dex.parse("x", { no: 1 })), await code(() => dex.parse(5))];
    codes.push(await code(() => TitleDexWorker.load({ catalogue: "/none" })), await code(() => TitleDexWorker.load({ catalogue: new Uint8Array(9) })));
    const stop = new AbortController();
    const loading = TitleDexWorker.load({ catalogue: "/catalogue/all.pack", signal: stop.signal });
    stop.abort(new Error("enough"));
    codes.push(await loading.then(() => "none", (error) => error.message));
    dex.free();
    codes.push(await code(() => dex.parse("x")));
    return { lines, same: JSON.stringify(answers) === JSON.stringify(lines.map((line) => JSON.parse(line))), one: JSON.stringify(one) === JSON.stringify(answers[0]), cards, codes, parts: [...parts].sort() };
  }, titles);
  assert.deepEqual(said.lines, expected);
  assert.deepEqual([said.same, said.one, said.cards > 40_000], [true, true, true]);
  assert.deepEqual(said.parts, ["catalogue", "module"]);
  const ours = (code) => `TitleDexError,${code}`;
  assert.deepEqual(said.codes, [ours("bad_option"), ours("bad_argument"), ours("network"), ours("not_a_catalogue"), "enough", ours("freed")]);
});

test("several games answer like Node, in a page and in a worker; alone, Pokémon needs nothing of them", async () => {
  const games = asked.filter((url) => /games|catalogue\/.*\//.test(url));
  assert.deepEqual(games, [], "fetched for Pokémon alone");
  const { TitleDex: Games } = await import(pathToFileURL(join(folder, "games.js")));
  const dex = await Games.load({ catalogue: ["english.pack", "onepiece/english.pack"].map((name) => join(folder, "catalogue", name)) });
  const both = [...titles.slice(0, 20), "Roronoa Zoro OP01-025 SR Romance Dawn PSA 10"];
  const lines = both.map((title) => dex.parseJson(title));
  dex.free();
  const said = await page.evaluate(async (titles) => {
    const [{ TitleDex }, { TitleDexWorker }] = await Promise.all([import("/games.js"), import("/worker.js")]);
    const catalogue = ["/catalogue/onepiece/english.pack", "/catalogue/english.pack"];
    const [dex, worker] = await Promise.all([TitleDex.load({ catalogue }), TitleDexWorker.load({ catalogue })]);
    return [titles.map((title) => dex.parseJson(title)), await Promise.all(titles.map((title) => worker.parseJson(title)))];
  }, both);
  assert.deepEqual(said, [lines, lines]);
});

test("requests go to the package only", () => {
  const strange = asked.filter((url) => !/^\/($|favicon\.ico|none|[a-z-]+\.js|(titledex|games)\.wasm|catalogue\/([a-z]+\/)?[a-z-]+\.pack)$/.test(url));
  assert.deepEqual(strange, []);
});

test("a vite build reads titles in its page and in its worker", async () => {
  const built = await browser.newPage();
  await built.goto(await serve(resolve(TITLEDEX_BUILT), []));
  await built.waitForFunction(() => document.body.textContent.trim() !== "", undefined, { timeout: 60_000 });
  const said = await built.evaluate(() => document.body.textContent.split("\n"));
  assert.equal(said.length, 4, said.join());
  assert.deepEqual([said[0], said[2]], [said[1], said[3]]);
  assert.ok(/ base1-4 /.test(said[0]) && / onepiece:OP01-025 /.test(said[2]), said.join());
});
