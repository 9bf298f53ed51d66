// The module under node must say what the native command says, byte for byte. Run by scripts/wasm, which sets the paths:
// TITLEDEX_WASM (folder with node/ and web/), TITLEDEX_CLI (the command), TITLEDEX_INDEX (an index file).

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

const { TITLEDEX_WASM, TITLEDEX_CLI, TITLEDEX_INDEX } = process.env;
assert.ok(TITLEDEX_WASM && TITLEDEX_CLI && TITLEDEX_INDEX, "run scripts/wasm: it sets the paths");
const { TitleDex } = createRequire(import.meta.url)(resolve(TITLEDEX_WASM, "node/titledex.js"));
const index = readFileSync(TITLEDEX_INDEX);

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
  "火".repeat(1365),
];

/** The lines that the command writes for titles. */
function command(titles, ...options) {
  // A title with a line end in it can be no line; one with a NUL, or a long one, no argument.
  const isArgument = (title) => /[\r\n]/.test(title);
  const wellFormed = titles.map((title) => title.toWellFormed());
  const run = (extra, input) => {
    const call = ["parse", "--catalogue", TITLEDEX_INDEX, ...options, ...extra];
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
  return wellFormed.map((title) => (isArgument(title) ? ofArguments : ofInput).shift());
}

let titledex;
before(() => (titledex = TitleDex.open(index)));
after(() => titledex.free());

test("answers as the command does, byte for byte", () => {
  const expected = command(TITLES);
  TITLES.forEach((title, at) => assert.equal(titledex.parseJson(title), expected[at], JSON.stringify(title).slice(0, 80)));
});

test("options mean what they mean to the command", () => {
  const expected = command(TITLES, "--max-suggestions", "2", "--no-fuzzy");
  const options = { maxSuggestions: 2, fuzzyMatching: false, includeConfidence: true };
  TITLES.forEach((title, at) => assert.equal(titledex.parseJson(title, options), expected[at], JSON.stringify(title).slice(0, 80)));
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

test("lone surrogates stand as U+FFFD", () => {
  assert.equal(titledex.parse("\ud83d Pikachu").title, "\ufffd Pikachu");
});

test("an unknown option or a wrong value is refused", () => {
  const refused = [{ maxSugestions: 3 }, { maxSuggestions: 0 }, { maxSuggestions: 51 }, { maxSuggestions: 1.5 }, { maxSuggestions: NaN }];
  refused.push({ maxSuggestions: "3" }, { maxSuggestions: 3n }, { fuzzyMatching: 1 }, { includeConfidence: null }, 5, null, [], () => {});
  refused.push({ get fuzzyMatching() { throw new Error("no"); } });
  for (const options of refused) {
    for (const call of ["parse", "parseJson"]) {
      assert.throws(() => titledex[call]("Pikachu", options), (error) => error instanceof Error && error.code === "bad_option" && error.message.length > 10);
    }
  }
  assert.throws(() => titledex.parse("Pikachu", { maxSugestions: 3 }), /there is no option `maxSugestions`/);
});

test("what is no title is refused", () => {
  for (const title of [undefined, null, 5, {}, ["Pikachu"], new String("Pikachu")]) {
    assert.throws(() => titledex.parse(title), { code: "bad_argument", name: "Error" });
  }
});

test("what is no index is refused", () => {
  const code = (code) => (error) => error instanceof Error && error.code === code && error.message.length > 10;
  assert.throws(() => TitleDex.open(new Uint8Array(0)), code("not_an_index"));
  assert.throws(() => TitleDex.open(new TextEncoder().encode("marketplaceId,name\n")), code("not_an_index"));
  assert.throws(() => TitleDex.open(index.subarray(0, index.length - 1)), code("corrupt"));
  const altered = Uint8Array.from(index);
  altered[index.length >> 1] ^= 1;
  assert.throws(() => TitleDex.open(altered), code("corrupt"));
  const newer = Uint8Array.from(index);
  newer[8] += 1;
  assert.throws(() => TitleDex.open(newer), code("version"));
  for (const bytes of [undefined, null, "TITLEDEX", [1, 2, 3], new Float64Array(8)]) {
    assert.throws(() => TitleDex.open(bytes), code("bad_argument"));
  }
});

test("owns its bytes, stands beside others, and says what it holds", () => {
  const bytes = Uint8Array.from(index);
  const other = TitleDex.open(bytes.buffer);
  bytes.fill(0);
  assert.equal(other.parseJson(TITLES[0]), titledex.parseJson(TITLES[0]));
  const { cards, sets, printings, bytes: size, format, name } = other.catalogueInfo();
  assert.equal(size, index.length);
  const said = spawnSync(TITLEDEX_CLI, ["catalogue", "info", "--catalogue", TITLEDEX_INDEX], { encoding: "utf8" }).stdout;
  for (const [key, value] of Object.entries({ cards, sets, printings, bytes: size, format, name })) {
    assert.match(said, new RegExp(`^${key} +${value}$`, "m"));
  }
  other.free();
  assert.throws(() => other.parse("Pikachu"));
  assert.ok(titledex.parse("Pikachu"));
});

test("the module for the web answers the same", async () => {
  const folder = resolve(TITLEDEX_WASM, "web");
  const web = await import(pathToFileURL(join(folder, "titledex.js")));
  web.initSync({ module: readFileSync(join(folder, "titledex_bg.wasm")) });
  const there = web.TitleDex.open(index);
  for (const title of TITLES) {
    assert.equal(there.parseJson(title), titledex.parseJson(title));
  }
  there.free();
});
