// The extension in Firefox, driven by WebDriver BiDi over a bare socket: it is installed as a user loads it, marks pages built like sites, and its own
// pages work. Run by scripts/browser where there is a Firefox (FIREFOX names one), which has built dist/extension-firefox.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { HOSTS, alter } from "./extension.mjs";
import { serve } from "./server.mjs";

/** The address of the extension's own pages, which Firefox otherwise draws by lot. */
const UUID = "5f0a7d3e-9a53-4b7e-8f3c-2d1c6a7b9e10";
const PATIENCE = 60_000;

let server, firefox, context;

before(async () => {
  server = await serve({ "/": "wasm/tests/pages" });
  firefox = await start();
  ({ context } = (await firefox.send("browsingContext.getTree", {})).contexts[0]);
  await firefox.send("webExtension.install", { extensionData: { type: "path", path: firefox.extension } });
});
after(async () => {
  await firefox?.close();
  await server?.close();
});

/** A Firefox with a profile of its own. Of the extension it gets a copy that knows the test hosts, and that may read them from the beginning. */
async function start() {
  const folder = mkdtempSync(join(tmpdir(), "titledex-firefox-"));
  const extension = resolve(folder, "extension");
  alter("dist/extension-firefox", extension);
  const settings = { "extensions.webextensions.uuids": JSON.stringify({ "titledex@titledex.example": UUID }), "network.proxy.type": 0, "app.update.enabled": false, "datareporting.policy.dataSubmissionEnabled": false, "browser.shell.checkDefaultBrowser": false };
  const lines = Object.entries(settings).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
  writeFileSync(join(folder, "user.js"), lines.join("\n"));
  const child = spawn(process.env.FIREFOX, ["--headless", "--no-remote", "--profile", folder, "--remote-allow-system-access", "--remote-debugging-port", "0", "about:blank"], { stdio: ["ignore", "ignore", "pipe"] });
  const address = await new Promise((done, fail) => {
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(said);
      if (found) done(found[1]);
    });
    child.once("exit", () => fail(new Error(`Firefox ended: ${said}`)));
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((done, fail) => {
    socket.onopen = done;
    socket.onerror = () => fail(new Error(`no connection to ${address}`));
  });
  const waiting = new Map();
  let last = 0;
  socket.onmessage = ({ data }) => {
    const { id, type, result, error, message } = JSON.parse(data);
    const ask = waiting.get(id);
    waiting.delete(id);
    if (type === "success") ask?.done(result);
    else if (type === "error") ask?.fail(new Error(`${error}: ${message}`));
  };
  const send = (method, params) => new Promise((done, fail) => {
    waiting.set((last += 1), { done, fail });
    socket.send(JSON.stringify({ id: last, method, params }));
  });
  await send("session.new", { capabilities: {} });
  return {
    extension,
    send,
    close: async () => {
      const ended = new Promise((done) => child.once("exit", done));
      child.kill("SIGTERM");
      await ended;
      socket.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const visit = (url) => firefox.send("browsingContext.navigate", { context, url, wait: "complete" });
const own = (path) => `moz-extension://${UUID}/${path}`;

/** What an expression gives in the page, as BiDi writes values; closed shadow roots included. */
async function evaluate(expression) {
  const { type, result, exceptionDetails } = await firefox.send("script.evaluate", {
    expression,
    target: { context },
    awaitPromise: true,
    serializationOptions: { maxDomDepth: 20, includeShadowTree: "all" },
  });
  assert.equal(type, "success", exceptionDetails?.text);
  return result;
}

async function until(look, what) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
    const found = await look();
    if (found) return found;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`waited in vain for ${what}`);
}

/** The badges of the page: what they are called, and their words, which the style sheet writes. */
async function badges() {
  const found = [];
  const walk = (node) => {
    const { attributes = {}, children = [], shadowRoot } = node.value ?? {};
    if (attributes.class?.split(" ").includes("badge") && attributes.hidden === undefined) found.push({ label: attributes["aria-label"], tone: attributes.class.split(" ")[1] });
    for (const child of children) walk(child);
    if (shadowRoot) walk(shadowRoot);
  };
  walk(await evaluate("document.documentElement"));
  return found;
}

test("the options page sets which sites are marked", async () => {
  await visit(own("options/options.html"));
  await evaluate(`browser.storage.local.set({ sites: ${JSON.stringify(Object.keys(HOSTS))} })`);
  const registered = "browser.scripting.getRegisteredContentScripts().then((all) => all.flatMap(({ matches }) => matches).length)";
  await until(async () => (await evaluate(registered)).value >= Object.keys(HOSTS).length, "the content scripts");
  const { value } = await evaluate("document.querySelectorAll('input[type=checkbox]').length");
  assert.ok(value > 5, `${value} boxes`);
});

test("titles of an auction page are marked with card, set and grade", async () => {
  await visit(server.address("/auction.html", HOSTS.ebay));
  const badge = (words) => until(async () => (await badges()).find(({ label }) => label.includes(words)), `a badge for ${words}`);
  const charizard = await badge("Charizard 4/102");
  assert.equal(charizard.tone, "sure");
  assert.match(charizard.label, /Base Set.*PSA 9/);
  assert.ok(charizard.label.endsWith("Title: 1999 Pokemon Base Set Shadowless Charizard #4 Holo PSA 9 MINT"), charizard.label);
  assert.equal((await badge("Pikachu holo promo")).tone, "several");
  assert.match((await badge("Booster Box")).label, /Sealed product/);
});

test("a Japanese flea market is read, too", async () => {
  await visit(server.address("/flea.html", HOSTS.mercari));
  await until(async () => (await badges()).some(({ label }) => /Umbreon VMAX.*PSA 10/.test(label)), "the badge of ブラッキーVMAX");
});

test("the popup reads a title", async () => {
  await visit(own("popup/popup.html"));
  await evaluate("{ const field = document.getElementById('title'); field.value = 'Glurak 4/102 Holo Base Set EX Zustand'; field.dispatchEvent(new Event('input')); }");
  const answer = await until(async () => (await evaluate("document.getElementById('answer').innerText")).value, "the popup's answer");
  assert.match(answer, /Charizard/);
  assert.match(answer, /Base Set/);
});
