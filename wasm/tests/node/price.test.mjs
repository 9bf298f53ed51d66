// What the extension says of a price: the keys of grades, which printing a service's answer prices, what is not compared, and answers that are none.
// Run by .ci/run and scripts/browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { register } from "node:module";
import { after, before, test } from "node:test";
import { gradeKey } from "../../extension/src/background/grades.js";

// where the extension is laid out, the words of the playground lie beside its own modules
const ui = JSON.stringify(new URL("../../playground/ui/", import.meta.url).href);
const hook = `export const resolve = (name, context, next) => next(name.startsWith("../ui/") ? name.replace("../ui/", ${ui}) : name, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
const { difference, priceWords } = await import("../../extension/src/background/price.js");

test("grades have the keys that the service files their sales under", () => {
  for (const line of readFileSync(new URL("../../../fixtures/grades.jsonl", import.meta.url), "utf8").trim().split("\n")) {
    const { title, grade, key } = JSON.parse(line);
    assert.equal(gradeKey(grade) ?? null, key, title);
  }
});

test("a difference in words", () => {
  const usd = (amount) => ({ amount, currency: "USD" });
  assert.equal(difference(usd(88), usd(100)), "12% below the market price");
  assert.equal(difference(usd(125), usd(100)), "25% above the market price");
  assert.equal(difference(usd(101), usd(100)), "about the market price");
  assert.equal(difference(usd(250), usd(100)), "2.5 times the market price");
  assert.equal(difference(usd(1), { amount: 1, currency: "EUR" }), undefined);
});

/** A service that answers each request with what `say` holds, and keeps what it was asked. */
let service, server, say;
let asked = [];
before(async () => {
  server = createServer((request, response) => {
    asked.push({ url: request.url, key: request.headers.authorization });
    const { status = 200, type = "application/json", body, headers = {} } = say;
    response.writeHead(status, { "content-type": type, ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  service = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.close());

const SHADOWLESS = { cardId: "base1-4", marketplaceId: "base1-4:shadowless-holofoil", printing: "Shadowless Holofoil", language: "english", ids: { tcgplayer: 106999 }, evidence: [] };
const UNLIMITED = { ...SHADOWLESS, marketplaceId: "base1-4:unlimited-holofoil", printing: "Unlimited Holofoil", ids: { tcgplayer: 42382 } };

function answerOf(match, parsed = {}) {
  return { outcome: { type: "match", confidence: 1 }, matches: [match], parsed: { spans: [], ...parsed } };
}

/** What the details say where the service answers `given`. */
async function words(match, parsed, text, given) {
  say = given;
  asked = [];
  const rows = await priceWords(answerOf(match, parsed), text, { prices: true, service, key: "td_live_test" });
  return Object.fromEntries(rows);
}

/** The answer for the product 106999, which is two printings; `scheme` is the service's `marketplace-id`. */
function shared(scheme, more = {}) {
  const printing = (id, label, product, market) => ({ marketplaceId: scheme === "own" ? id : String(product), ids: { tcgplayer: product }, printing: label, market });
  const printings = [
    printing("base1-4:unlimited-holofoil", "Unlimited Holofoil", 42382, 250),
    printing("base1-4:1st-edition-shadowless-holofoil", "1st Edition Shadowless Holofoil", 106999, 423.68),
    printing("base1-4:shadowless-holofoil", "Shadowless Holofoil", 106999, 245.51),
  ];
  const [, shown] = printings;
  const auction = { GRADER_A_9: { smartMarketPrice: 9000 } };
  return { cardId: "base1-4", marketplaceId: shown.marketplaceId, ids: shown.ids, printing: shown.printing, prices: { currency: "USD", market: shown.market }, printings, auction, ...more };
}

test("of a product that is several printings the one that was read is priced", async () => {
  const psa9 = { grade: { grader: "PSA", graderCode: "GRADER_A", value: 9 } };
  for (const scheme of ["own", "tcgplayer"]) {
    const answer = { body: { data: [shared(scheme)] } };
    const raw = await words(SHADOWLESS, {}, "$250.00", answer);
    assert.deepEqual(raw, { Asked: "US$250", Market: "US$246", "So it is": "about the market price" }, scheme);
    assert.deepEqual(asked, [{ url: "/api/v2/cards?marketplaceId=tcgplayer%3A106999", key: "Bearer td_live_test" }]);
    // graded sales and euros are those of the printing that the service shows
    const graded = await words(SHADOWLESS, psa9, "$250.00", answer);
    assert.match(graded["Market (PSA 9)"], /several printings/, scheme);
    assert.equal(graded["So it is"], undefined);
    const first = { ...SHADOWLESS, marketplaceId: "base1-4:1st-edition-shadowless-holofoil", printing: "1st Edition Shadowless Holofoil" };
    assert.equal((await words(first, psa9, "$9,000", answer))["Market (PSA 9)"], "US$9,000", scheme);
    const euros = { body: { data: [shared(scheme, { prices: { currency: "USD", market: 423.68, eur: { market: 400 } } })] } };
    assert.equal((await words(first, {}, "400 €", euros)).Market, "€400", scheme);
    assert.deepEqual(await words(SHADOWLESS, {}, "400 €", euros), { Asked: "€400", Market: "US$246", "So it is": "in another currency than the market price (USD)" }, scheme);
  }
});

test("a printing that the service lacks, or calls as others, has no price", async () => {
  const without = shared("own");
  without.printings.pop();
  assert.match((await words(SHADOWLESS, {}, "$250", { body: { data: [without] } })).Market, /several printings/);
  const alike = shared("tcgplayer");
  alike.printings[1].printing = "Shadowless Holofoil";
  assert.match((await words(SHADOWLESS, {}, "$250", { body: { data: [alike] } })).Market, /several printings/);
  // a product that is several cards: each has a printing of that name
  const other = { ...shared("tcgplayer"), cardId: "base1-5" };
  assert.equal((await words(SHADOWLESS, {}, "$250", { body: { data: [other, shared("tcgplayer")] } })).Market, "US$246");
  assert.equal((await words(SHADOWLESS, {}, "$250", { body: { data: [] } })).Market, "no price is known");
});

/** Unlimited, as the service shows it. */
function plain(more = {}) {
  const { ids, marketplaceId, printing } = UNLIMITED;
  return { cardId: "base1-4", ids, marketplaceId, printing, prices: { currency: "USD", market: 250 }, printings: [{ ids, marketplaceId, printing, market: 250 }], ...more };
}

test("what sells something else than the market price is of is not compared", async () => {
  const answer = { body: { data: [plain({ auction: { GRADER_A_QUALIFIED: { smartMarketPrice: 100 } } })] } };
  const span = (field, value) => ({ spans: [{ field, value }] });
  const known = { ...UNLIMITED, evidence: [{ field: "stamp", weight: 2, note: "no symbol" }] };
  for (const [parsed, says, match = UNLIMITED] of [
    [{}],
    [{ condition: "NM" }],
    [{ condition: "M" }],
    [{ language: "english", quantity: 1 }],
    [span("noise", "other")],
    [span("error", "no symbol"), undefined, known],
    [{ condition: "DMG" }, /Near Mint/],
    [{ condition: "HP" }, /Near Mint/],
    [{ condition: "LP" }, /Near Mint/],
    [span("noise", "flaw"), /Near Mint/],
    [{ language: "german" }, /another language/],
    [{ quantity: 2 }, /one card/],
    [span("treatment", "signed"), /signature/],
    [span("error", "misprint"), /error/],
    [{ grade: { grader: "PSA", graderCode: "GRADER_A", value: 8, qualifier: "OC" } }, /qualifier/],
  ]) {
    const rows = await words(match, parsed, "$20", answer);
    const what = JSON.stringify(parsed);
    if (says) assert.match(rows["Not compared"], says, what);
    assert.equal(rows["So it is"], says ? undefined : "92% below the market price", what);
  }
});

test("a grade without a key is not asked for", async () => {
  for (const grade of [{ grader: "ACE", value: 10 }, { grader: "PSA", graderCode: "GRADER_A" }]) {
    const rows = await words(UNLIMITED, { grade }, "$20", { body: { data: [plain()] } });
    assert.deepEqual([Object.values(rows).at(-1), asked], ["no sales in this grade are known", []]);
  }
});

test("what is no answer is said, whatever it holds", async () => {
  const html = "<!doctype html><title>502</title><script>harm()</script>";
  const error = (message) => ({ error: { code: "x", message } });
  for (const [given, says] of [
    [{ type: "text/html", body: html }, "what is at the service’s address gives no prices"],
    [{ body: "" }, "what is at the service’s address gives no prices"],
    [{ body: "null" }, "what is at the service’s address gives no prices"],
    [{ body: "[]" }, "what is at the service’s address gives no prices"],
    [{ body: { data: {} } }, "what is at the service’s address gives no prices"],
    [{ body: { data: [null, 1, "x", []] } }, "no price is known"],
    [{ body: { data: [{}] } }, "no price is known"],
    [{ body: { data: [{ marketplaceId: UNLIMITED.marketplaceId, prices: null, printings: null }] } }, "no price is known"],
    [{ body: { data: [plain({ printings: [null, {}, { marketplaceId: UNLIMITED.marketplaceId }] })] } }, "no price is known"],
    [{ body: { data: [plain({ prices: { currency: "JPY", market: 250 } })] } }, "no price is known"],
    ...[null, 0, -1, true, "", "<b>9</b>", [9], {}].map((market) => [{ body: { data: [plain({ printings: [{ marketplaceId: UNLIMITED.marketplaceId, market }] })] } }, "no price is known"]),
    [{ body: '{"data":[{"printings":[{"marketplaceId":"base1-4:unlimited-holofoil","market":1e999}]}]}' }, "no price is known"],
    [{ status: 401, body: error("the key is not known: check it") }, "the service refuses: the key is not known: check it"],
    [{ status: 401, type: "text/html", body: html }, "the service refuses: it does not know the key"],
    [{ status: 402, body: "{}" }, "the service refuses: it asks for a payment"],
    [{ status: 404, type: "text/html", body: html }, "the service refuses: there are no prices at this address"],
    [{ status: 418, body: "null" }, "the service refuses: status 418"],
    [{ status: 429, body: error("60 calls a minute are used up: wait 7 seconds") }, "the service refuses: 60 calls a minute are used up: wait 7 seconds"],
    [{ status: 429, type: "text/html", body: html }, "the service refuses: too many requests, try again later"],
    [{ status: 429, body: error({ toString: "x" }) }, "the service refuses: too many requests, try again later"],
    [{ status: 500, body: error(" a\u0000\n\u202eb ") }, "the service fails: a b"],
    [{ status: 503, body: error("é".repeat(1000)) }, `the service fails: ${"é".repeat(300)}…`],
    [{ status: 502, type: "text/html", body: html }, "the service fails: status 502"],
    [{ status: 302, headers: { location: "/elsewhere" }, body: "" }, "the service is at another address: enter that in the options"],
  ]) {
    const rows = await words(UNLIMITED, {}, "$20", given);
    assert.deepEqual(rows, { Asked: "US$20", Market: says }, JSON.stringify(given));
    assert.equal(asked.length, 1, "the key follows the service nowhere");
  }
  const grade = { grader: "PSA", graderCode: "GRADER_A", value: 9 };
  for (const auction of [undefined, null, [], "x", {}, { GRADER_A_9: null }, { GRADER_A_9: {} }, { GRADER_A_9: { smartMarketPrice: null } }]) {
    assert.equal((await words(UNLIMITED, { grade }, "$20", { body: { data: [plain({ auction })] } }))["Market (PSA 9)"], "no sales in this grade are known");
  }
  for (const eur of [null, {}, { market: null }, { market: "x" }]) {
    assert.equal((await words(UNLIMITED, {}, "20 €", { body: { data: [plain({ prices: { market: 250, eur } })] } })).Market, "US$250");
  }
  const silent = await priceWords(answerOf(UNLIMITED), "", { prices: true, service: "http://127.0.0.1:9", key: "k" });
  assert.deepEqual(silent, [["Market", "the service does not answer"]]);
});
