// The playground's service worker, with caches and a network that fail. Run by .ci/run and scripts/browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

const SCRIPT = readFileSync(new URL("../../playground/sw.js", import.meta.url), "utf8");
const SCOPE = "https://cards.example/play/";

/** Has the worker answer a request; `caches` and `network` stand for the browser's. `held` is what keeps the worker alive after the answer. */
function ask(path, { caches, network, method = "GET" }) {
  const listeners = {};
  const self = { registration: { scope: SCOPE }, addEventListener: (type, listener) => (listeners[type] = listener) };
  runInNewContext(SCRIPT, { self, caches, fetch: network, URL });
  const asked = { answer: undefined, held: [] };
  listeners.fetch({
    request: { url: SCOPE + path, method },
    respondWith: (answer) => (asked.answer = answer),
    waitUntil: (work) => asked.held.push(work),
  });
  return asked;
}

function cacheOf({ put = async () => {}, match = async () => undefined }) {
  return { open: async () => ({ put, match }) };
}

const refused = () => Promise.reject(new Error("refused"));
const online = (body, status = 200) => async () => new Response(body, { status });
const offline = () => Promise.reject(new TypeError("no network"));
const old = cacheOf({ put: refused, match: async () => new Response("old") });

test("what the network answers is the answer, whatever becomes of storing it", async () => {
  for (const [what, caches] of [["put is refused", old], ["opening is refused", { open: refused }]]) {
    const { answer, held } = ask("app.js", { caches, network: online("new") });
    assert.equal(await (await answer).text(), "new", what);
    assert.equal(held.length, 1, what);
    await Promise.all(held);
  }
});

test("an answer does not wait until it is stored, and storing it outlives the answer", async () => {
  const kept = [];
  let begin;
  const begun = new Promise((done) => (begin = done));
  const put = async (request, response) => {
    await begun;
    kept.push([request.url, await response.text()]);
  };
  const { answer, held } = ask("titledex/titledex.wasm", { caches: cacheOf({ put }), network: online("module") });
  assert.equal(await (await answer).text(), "module");
  assert.deepEqual(kept, []);
  begin();
  await Promise.all(held);
  assert.deepEqual(kept, [[`${SCOPE}titledex/titledex.wasm`, "module"]]);
});

test("without a network what was stored is the answer, else the failure", async () => {
  const { answer } = ask("app.js", { caches: old, network: offline });
  assert.equal(await (await answer).text(), "old");
  for (const caches of [cacheOf({}), cacheOf({ match: refused }), { open: refused }]) {
    await assert.rejects(ask("app.js", { caches, network: offline }).answer, { message: "no network" });
  }
});

test("failures are not stored, and what is not the page's is let alone", async () => {
  const { answer, held } = ask("app.js", { caches: old, network: online("gone", 404) });
  assert.equal((await answer).status, 404);
  assert.deepEqual(held, []);
  for (const [path, method] of [["api/v2/cards"], ["openapi.json"], ["app.js", "POST"]]) assert.equal(ask(path, { caches: old, network: offline, method }).answer, undefined, path);
});
