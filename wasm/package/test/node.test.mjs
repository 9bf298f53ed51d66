// The package under Node must say what the command says, byte for byte. Run by scripts/browser, which sets the paths:
// TITLEDEX_PACKAGE (the package's folder), TITLEDEX_CLI (the command).

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createReadStream, existsSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";

const { TITLEDEX_PACKAGE, TITLEDEX_CLI } = process.env;
assert.ok(TITLEDEX_PACKAGE && TITLEDEX_CLI, "run scripts/browser: it sets the paths");
const { TitleDex, TitleDexError, toUtf16, utf16Spans } = await import(pathToFileURL(resolve(TITLEDEX_PACKAGE, "index.js")));
const { TitleDex: Games } = await import(pathToFileURL(resolve(TITLEDEX_PACKAGE, "games.js")));
const { TitleDexWorker } = await import(pathToFileURL(resolve(TITLEDEX_PACKAGE, "worker.js")));
const PACK = resolve(TITLEDEX_PACKAGE, "catalogue/all.pack");
const ENGLISH = resolve(TITLEDEX_PACKAGE, "catalogue/english.pack");
/** The catalogue of a game beside Pokémon. */
const packOf = (game, languages = "all") => resolve(TITLEDEX_PACKAGE, `catalogue/${game}/${languages}.pack`);
const OTHERS = readdirSync(resolve(TITLEDEX_PACKAGE, "catalogue"), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name);
const pack = readFileSync(PACK);
const ROOT = new URL("../../../", import.meta.url);

const TITLES = [
  "1999 Pokemon Base Set Shadowless Charizard #4 Holo PSA 9 MINT",
  "2023 Pokémon Scarlet & Violet 151 Charizard ex 199/165 SIR BGS 9.5",
  "Umbreon VMAX 215/203 Evolving Skies Alt Art – Near Mint",
  "Farfetch'd 27/102 Base Set 1st Edition LP",
  "Galarian Gallery GG44/GG70 Mewtwo VSTAR Crown Zenith CGC 10 Pristine",
  "lot of 3: Pikachu 58/102, Squirtle 63/102, Bulbasaur 44/102",
  "Pokemon Evolving Skies Booster Box Sealed",
  "Charizrd V 154/172 brillant stars",
  "Dracaufeu EX 12/108 XY Évolutions FR",
  "Nidoran♀ 57/64 Jungle HP",
  "【PSA10】ブラッキーVMAX SA s6a 095/069 イーブイヒーローズ",
  "ポケモンカード　リザードンｅｘ　ＳＡＲ　３４９/１９０　シャイニートレジャーｅｘ　美品",
  "ﾋﾟｶﾁｭｳ 旧裏 かいりき 鑑定品",
  "리자몽 VMAX 스페셜 카드",
  "🔥🔥 Charizard 🔥🔥 4/102 ⭐HOLO⭐ 👨‍👩‍👧‍👦",
  "🔥",
  "\ud83d Pikachu \udd25 25/25 \ud800",
  "\udc00",
  "",
  "   \t ",
  "\ufeff\u202eMew\u202c\u200b ex \u200d151/165",
  "Mew\0two\x01\x1b[31m 10/102\x7f\x85",
  "Pikachu\n58/102\r\nBase Set\r",
  "P\u0301".repeat(1000),
  "4/102 ".repeat(600),
  "&quot;Snorlax&quot; &#x1F4A4; 11/64 <script>alert(1)</script>",
  "Charizard ".repeat(500),
  // weights of thousands
  "Tin ".repeat(1024),
  "Tin ".repeat(777),
  "火".repeat(1365),
];

const rowsOf = (text) => text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
/** Titles of all games. */
const GAMES = rowsOf(readFileSync(new URL("fixtures/games.jsonl", ROOT), "utf8"));

/** The line of a title that is read as `line` says, with the note of its first surrogate that stands alone. */
function noted(line, title) {
  const read = title.toWellFormed();
  if (title === read) return line;
  let at = 0;
  while (title[at] === read[at]) at += 1;
  const message = `byte ${Buffer.byteLength(read.slice(0, at))} is not UTF-8; it was read as U+FFFD`;
  return `${line.slice(0, -1)},"error":${JSON.stringify({ code: "invalid_utf8", message })}}`;
}

/** The lines that the command writes for titles; the note of a lone surrogate is ours, since no file can have one. */
function command(titles, ...options) {
  // A title with a line end in it can be no line; one with a NUL, or a long one, no argument.
  const isArgument = (title) => /[\r\n]/.test(title);
  const wellFormed = titles.map((title) => title.toWellFormed());
  const run = (extra, input) => {
    const catalogue = options.includes("--catalogue") ? [] : ["--catalogue", PACK];
    const call = ["parse", ...catalogue, ...options, ...extra];
    const done = spawnSync(TITLEDEX_CLI, call, { input, encoding: "utf8", maxBuffer: 1 << 28 });
    assert.equal(done.error, undefined);
    assert.ok(done.stdout.endsWith("\n") || done.stdout === "", done.stderr);
    return done.stdout.split("\n").slice(0, -1);
  };
  const given = wellFormed.filter(isArgument);
  const piped = wellFormed.filter((title) => !isArgument(title));
  const ofArguments = given.length > 0 ? run(["--", ...given]) : [];
  const ofInput = piped.length > 0 ? run([], piped.map((title) => `${title}\n`).join("")) : [];
  assert.deepEqual([ofArguments.length, ofInput.length], [given.length, piped.length]);
  return titles.map((title, at) => noted((isArgument(wellFormed[at]) ? ofArguments : ofInput).shift(), title));
}

let titledex;
before(async () => (titledex = await TitleDex.load({ catalogue: PACK })));
after(() => titledex.free());

test("answers as the command does, byte for byte", () => {
  const expected = command(TITLES);
  TITLES.forEach((title, at) => assert.equal(titledex.parseJson(title), expected[at], JSON.stringify(title).slice(0, 80)));
});

test("options have the command's meaning", () => {
  const expected = command(TITLES, "--max-suggestions", "2", "--no-fuzzy", "--brief");
  const options = { maxSuggestions: 2, fuzzyMatching: false, includeConfidence: true, brief: true };
  TITLES.forEach((title, at) => assert.equal(titledex.parseJson(title, options), expected[at], JSON.stringify(title).slice(0, 80)));
});

/** Runs `call` with the path of a pack that the command makes of games. */
async function withPack(games, languages, call) {
  const folder = mkdtempSync(join(tmpdir(), "titledex-"));
  try {
    const path = join(folder, "games.pack");
    const made = spawnSync(TITLEDEX_CLI, ["catalogue", "pack", "--games", games.join(), ...(languages ? ["--languages", languages] : []), "-o", path], { encoding: "utf8" });
    assert.equal(made.status, 0, made.stderr);
    return await call(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("several catalogues are read as one of all their cards", async () => {
  const onePiece = packOf("onepiece", "english");
  const titles = [...TITLES.filter((title) => !/[\r\n]/.test(title)), ...GAMES.map(({ title }) => title)];
  const expected = await withPack(["pokemon", "onepiece"], "english", (both) => command(titles, "--catalogue", both));
  const loaded = [];
  // in whatever order
  for (const catalogue of [[ENGLISH, onePiece], [readFileSync(onePiece), ENGLISH]]) {
    const dex = await Games.load({ catalogue, onProgress: ({ part, loaded: bytes }) => part === "catalogue" && loaded.push(bytes) });
    assert.deepEqual(dex.catalogueInfo().games, ["onepiece", "pokemon"]);
    titles.forEach((title, at) => assert.equal(dex.parseJson(title), expected[at], JSON.stringify(title).slice(0, 80)));
    dex.free();
  }
  assert.equal(loaded.at(-1), readFileSync(ENGLISH).length + readFileSync(onePiece).length);
  for (const catalogue of [[ENGLISH, ENGLISH], []]) await assert.rejects(Games.load({ catalogue }), { code: "bad_argument" });
  await assert.rejects(Games.load({ catalogue: [ENGLISH, new Uint8Array(9)] }), { code: "not_a_catalogue" });
});

test("a catalogue of another game is read with that game's words, in a list or by itself", async () => {
  const title = "Sheoldred, the Apocalypse DMU 107 borderless";
  const [expected] = await withPack(["magic"], "english", (path) => command([title], "--catalogue", path));
  assert.equal(JSON.parse(expected).matches[0].cardId, "magic:dmu-107");
  for (const catalogue of [packOf("magic", "english"), [packOf("magic", "english")]]) {
    const dex = await Games.load({ catalogue });
    assert.equal(dex.parseJson(title), expected);
    dex.free();
  }
  await assert.rejects(TitleDex.load({ catalogue: packOf("magic", "english") }), { code: "bad_argument", message: /cards of magic; read it by/ });
});

/** The labelled titles of other games, and where they are not, our own. */
function titlesOfGames() {
  const read = (name) => {
    const bytes = readFileSync(new URL(`../shared/games/titles/${name}`, ROOT));
    return rowsOf((name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString());
  };
  const shared = existsSync(new URL("../shared/games/titles", ROOT));
  const rows = shared ? ["games.jsonl", "onepiece.jsonl", "onepiece_products.jsonl.gz"].flatMap(read) : [];
  return { shared, titles: [...GAMES, ...rows].map(({ title }) => title.split(/\s*[\r\n]+\s*/).join(" ")) };
}

test("all games at once answer as the command does, byte for byte", async (context) => {
  const { shared, titles } = titlesOfGames();
  if (!shared) context.diagnostic("needs ../shared (labelled titles of other games, not in the repository): not run over them");
  const dex = await Games.load({ catalogue: [PACK, ...OTHERS.map((game) => packOf(game))] });
  assert.deepEqual(dex.catalogueInfo().games, ["pokemon", ...OTHERS].sort());
  const done = spawnSync(TITLEDEX_CLI, ["parse", "--from", "lines"], { input: titles.map((title) => `${title}\n`).join(""), encoding: "utf8", maxBuffer: 1 << 28 });
  const expected = done.stdout.split("\n").slice(0, -1);
  assert.equal(expected.length, titles.length, done.stderr);
  // the place alone: labelled titles stand nowhere else
  titles.forEach((title, at) => assert.ok(dex.parseJson(title) === expected[at], `title ${at} is answered otherwise`));
  GAMES.forEach(({ title, expect, known }, at) => {
    // that such a row is still wrong is for the command's tests
    if (known) return;
    const { outcome, matches } = JSON.parse(expected[at]);
    const [card] = expect.cards ?? [];
    assert.deepEqual([outcome.type, card && matches[0]?.cardId], [expect.outcome, card], title);
  });
  context.diagnostic(`${titles.length} titles`);
  dex.free();
});

test("some of the games answer as the command with a catalogue of these, byte for byte", async (context) => {
  const { titles } = titlesOfGames();
  for (const [games, languages] of [[["pokemon", "magic"], "english"], [["lorcana", "digimon", "yugioh"], "all"]]) {
    const expected = await withPack(games, languages === "all" ? undefined : languages, (path) => {
      const done = spawnSync(TITLEDEX_CLI, ["parse", "--catalogue", path, "--from", "lines"], { input: titles.map((title) => `${title}\n`).join(""), encoding: "utf8", maxBuffer: 1 << 28 });
      return done.stdout.split("\n").slice(0, -1);
    });
    const dex = await Games.load({ catalogue: games.map((game) => (game === "pokemon" ? resolve(TITLEDEX_PACKAGE, `catalogue/${languages}.pack`) : packOf(game, languages))) });
    assert.equal(expected.length, titles.length);
    titles.forEach((title, at) => assert.ok(dex.parseJson(title) === expected[at], `${games}: title ${at} is answered otherwise`));
    dex.free();
  }
  context.diagnostic(`${titles.length} titles`);
});

test("a title of 1 MiB is refused as the command refuses it", () => {
  const title = "Charizard ".repeat(104858).slice(0, 1 << 20);
  const [said, expected] = [titledex.parse(title), JSON.parse(command([title])[0])];
  assert.equal(said.error.code, "too_long");
  assert.match(said.error.message, /1048576/);
  assert.deepEqual(said, expected);
});

test("parse gives the object that parseJson writes", () => {
  for (const title of TITLES) {
    assert.deepEqual(titledex.parse(title), JSON.parse(titledex.parseJson(title)));
  }
  assert.deepEqual(titledex.parse(TITLES[0], { maxSuggestions: undefined }), titledex.parse(TITLES[0], undefined));
  const unsure = titledex.parse(TITLES[0], { includeConfidence: false });
  assert.equal(unsure.matches[0]?.confidence ?? 0, 0);
});

test("lone surrogates become U+FFFD and are noted", () => {
  const alone = "é 😀 \ud83d Pikachu";
  const answer = titledex.parse(alone);
  assert.equal(answer.title, "é 😀 \ufffd Pikachu");
  assert.deepEqual(answer.error, { code: "invalid_utf8", message: "byte 8 is not UTF-8; it was read as U+FFFD" });
  assert.deepEqual(JSON.parse(titledex.parseJson(alone)), answer);
  assert.deepEqual(titledex.parseBatch(["Pikachu", alone])[1], answer);
  for (const whole of ["😀 Pikachu", "\ufffd Pikachu"]) assert.equal(titledex.parse(whole).error, undefined);
  // what is not read at all is said first
  assert.equal(titledex.parse("\ud83d".repeat(2000)).error?.code, "too_long");
});

test("an unknown option or a wrong value is refused", () => {
  const refused = [{ maxSugestions: 3 }, { maxSuggestions: 0 }, { maxSuggestions: 51 }, { maxSuggestions: 1.5 }, { maxSuggestions: NaN }];
  refused.push({ maxSuggestions: "3" }, { maxSuggestions: 3n }, { fuzzyMatching: 1 }, { includeConfidence: null }, { brief: "yes" }, 5, null, [], () => {});
  refused.push({ get fuzzyMatching() { throw new Error("no"); } });
  for (const options of refused) {
    for (const call of ["parse", "parseJson"]) {
      assert.throws(() => titledex[call]("Pikachu", options), (error) => error instanceof TitleDexError && error.code === "bad_option" && error.message.length > 10);
    }
  }
  assert.throws(() => titledex.parse("Pikachu", { maxSugestions: 3 }), /there is no option `maxSugestions`/);
  assert.throws(() => titledex.parse("Pikachu", []), /the options are an array; give an object/);
  assert.throws(() => titledex.parse("Pikachu", { brief: [] }), /`brief` is an array; give true or false/);
});

test("a value that is not a string is refused", () => {
  for (const title of [undefined, null, 5, {}, ["Pikachu"], new String("Pikachu")]) {
    assert.throws(() => titledex.parse(title), { code: "bad_argument", name: "TitleDexError" });
  }
});

test("a batch is the answers one by one", () => {
  assert.deepEqual(titledex.parseBatch(TITLES), TITLES.map((title) => titledex.parse(title)));
  assert.deepEqual(titledex.parseBatch([]), []);
  const options = { maxSuggestions: 1 };
  assert.deepEqual(titledex.parseBatch(TITLES, options), TITLES.map((title) => titledex.parse(title, options)));
  assert.throws(() => titledex.parseBatch(["Pikachu", 5]), { code: "bad_argument" });
  assert.throws(() => titledex.parseBatch("Pikachu"), { code: "bad_argument", message: /`titles` is a string;/ });
  assert.throws(() => titledex.parseBatch(), { code: "bad_argument", message: /`titles` is undefined;/ });
});

test("a file that is not a catalogue is refused", async () => {
  const refused = (catalogue, code) =>
    assert.rejects(TitleDex.load({ catalogue }), (error) => error instanceof TitleDexError && error.code === code && error.message.length > 10);
  await refused(new Uint8Array(0), "not_a_catalogue");
  await refused(new TextEncoder().encode("marketplaceId,name\n"), "not_a_catalogue");
  await refused(pack.subarray(0, pack.length - 1), "corrupt");
  // one bit of one byte: refused, or the very same catalogue, where it says which of two equal guesses is right
  let corrupt = 0;
  for (const part of [0.1, 0.3, 0.5, 0.7, 0.9]) {
    const altered = Uint8Array.from(pack);
    altered[Math.floor(pack.length * part)] ^= 1;
    try {
      const same = await TitleDex.load({ catalogue: altered });
      assert.deepEqual(same.catalogueInfo(), titledex.catalogueInfo());
      for (const title of TITLES) assert.equal(same.parseJson(title), titledex.parseJson(title));
      same.free();
    } catch (error) {
      assert.equal(error.code, "corrupt", String(error));
      corrupt += 1;
    }
  }
  assert.ok(corrupt >= 3, `${corrupt} of 5 altered packs are refused`);
  const newer = Uint8Array.from(pack);
  newer[8] += 1;
  await refused(newer, "version");
  for (const [catalogue, met] of [[undefined, "undefined"], [null, "null"], [5, "a number"], [[1, 2, 3], "an array"], [{}, "an object"]]) {
    await refused(catalogue, "bad_argument");
    await assert.rejects(TitleDex.load({ catalogue }), { message: `\`catalogue\` is ${met}; give an address, a Response or bytes` });
  }
  await refused("no/such/file.pack", "network");
  await assert.rejects(TitleDex.load(), { code: "bad_argument" });
});

test("loads paths, URLs, responses and bytes, gzipped or not, and reports progress", async () => {
  const expected = (await TitleDex.load({ catalogue: ENGLISH })).parseJson(TITLES[0]);
  const bytes = readFileSync(ENGLISH);
  const server = createServer((request, response) => {
    if (request.url === "/none") return response.writeHead(404).end();
    response.writeHead(200, { "content-length": bytes.length }).end(bytes);
  }).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const url = `http://127.0.0.1:${server.address().port}`;
  try {
    const seen = [];
    const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    for (const catalogue of [pathToFileURL(ENGLISH), pathToFileURL(ENGLISH).href, url, new URL(url), await fetch(url), bytes, copy, gzipSync(bytes)]) {
      const dex = await TitleDex.load({ catalogue, onProgress: (progress) => seen.push(progress) });
      assert.equal(dex.parseJson(TITLES[0]), expected);
      dex.free();
    }
    assert.ok(seen.some(({ part, loaded, total }) => part === "catalogue" && loaded === bytes.length && total === bytes.length));
    await assert.rejects(TitleDex.load({ catalogue: `${url}/none` }), { code: "network" });
    const stopped = AbortSignal.abort(new Error("enough"));
    await assert.rejects(TitleDex.load({ catalogue: url, signal: stopped }), /enough/);
  } finally {
    server.close();
  }
});

test("owns its bytes, coexists with others, and describes its catalogue", async () => {
  const bytes = Uint8Array.from(pack);
  const other = await TitleDex.load({ catalogue: bytes.buffer });
  bytes.fill(0);
  assert.equal(other.parseJson(TITLES[0]), titledex.parseJson(TITLES[0]));
  const { cards, sets, printings, bytes: size, format, name } = other.catalogueInfo();
  const said = spawnSync(TITLEDEX_CLI, ["catalogue", "info", "--catalogue", PACK], { encoding: "utf8" }).stdout;
  for (const [key, value] of Object.entries({ cards, sets, printings, bytes: size, format, name })) {
    assert.match(said, new RegExp(`^${key} +${value}$`, "m"));
  }
  other.free();
  other.free();
  assert.throws(() => other.parse("Pikachu"), { code: "freed" });
  assert.ok(titledex.parse("Pikachu"));
});

test("spans convert to positions of the JavaScript string", () => {
  for (const title of TITLES) {
    const answer = titledex.parse(title);
    const text = ({ start, end }) => answer.title.slice(start, end);
    assert.deepEqual(utf16Spans(answer).map(text), answer.parsed.spans.map((span) => span.text));
    assert.deepEqual(toUtf16(answer.title, answer.parsed.unread).map(text), answer.parsed.unread.map((span) => span.text));
  }
});

test("a worker fails with its code where there are none", async () => {
  await assert.rejects(TitleDexWorker.load({ catalogue: PACK }), { code: "worker" });
});

test("the whole pool, byte for byte", async (context) => {
  const pool = new URL("../shared/titles/pool.jsonl.gz", ROOT);
  const lines = existsSync(pool)
    ? gunzipSync(readFileSync(pool)).toString().split("\n")
    : readFileSync(new URL("fixtures/synthetic-titles.jsonl", ROOT), "utf8").split("\n");
  const titles = lines.filter(Boolean).map((line) => JSON.parse(line).title).filter((title) => !/[\r\n]/.test(title));
  const folder = mkdtempSync(join(tmpdir(), "titledex-"));
  try {
    writeFileSync(join(folder, "titles"), titles.map((title) => `${title}\n`).join(""));
    const run = spawnSync(TITLEDEX_CLI, ["parse", "--games", "pokemon", "--input", join(folder, "titles")], { stdio: ["ignore", openSync(join(folder, "answers"), "w"), "inherit"] });
    assert.equal(run.error, undefined);
    let at = 0;
    for await (const expected of createInterface({ input: createReadStream(join(folder, "answers")), crlfDelay: 0 })) {
      // the place alone: titles of the pool stand nowhere else
      assert.ok(titledex.parseJson(titles[at]) === expected, `title ${at} is answered otherwise`);
      at += 1;
    }
    assert.equal(at, titles.length);
    context.diagnostic(`${at} titles`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
