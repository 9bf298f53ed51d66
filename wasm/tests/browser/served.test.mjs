// The playground as `titledex-server serve --playground` serves it, in Chromium. Run by scripts/browser, which has built dist/playground.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { foreign, launch, seriousFaults, watch } from "./chromium.mjs";

let browser, folder, service, home;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "titledex-served-"));
  const settings = ["serve", "--listen", "127.0.0.1:0", "--database", `sqlite:${join(folder, "td.db")}`, "--playground", "dist/playground"];
  service = spawn(process.env.TITLEDEX_SERVER, settings, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, RUST_LOG: "warn" } });
  for await (const line of createInterface({ input: service.stdout })) {
    home = line.match(/listening on (\S+)/)?.[1];
    if (home) break;
  }
  browser = await launch();
});
after(async () => {
  await browser?.close();
  if (service?.exitCode === null) {
    const ended = once(service, "exit");
    service.kill("SIGTERM");
    await ended;
  }
  await rm(folder, { recursive: true });
});

test("the served playground reads titles and links to the service's pages", async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const seen = watch(context);
  const page = await context.newPage();
  const coded = [];
  page.on("response", (response) => response.headers()["content-encoding"] === "br" && coded.push(new URL(response.url()).pathname));
  await page.goto(`${home}/`);
  await page.locator("#loading").waitFor({ state: "hidden" });
  await page.fill("#titles", "1999 Pokemon Base Set Shadowless Charizard #4 Holo PSA 9 MINT");
  await page.locator(".named", { hasText: "Charizard" }).waitFor();
  assert.ok(coded.includes("/titledex/titledex.wasm") && coded.some((path) => path.endsWith(".pack")), coded.join(" "));
  assert.deepEqual(await seriousFaults(page), []);
  await page.getByRole("link", { name: "Documentation" }).click();
  await page.waitForURL(`${home}/docs`);
  await page.goto(`${home}/about`);
  await page.getByRole("link", { name: "in the playground" }).click();
  await page.locator("#loading").waitFor({ state: "hidden" });
  // a service worker keeps the page alone: not what the service answers beside it
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
  const kept = await page.evaluate(async () => (await (await caches.open("titledex-playground")).keys()).map((request) => new URL(request.url).pathname));
  assert.deepEqual(kept.filter((path) => /^\/(docs|dashboard|about|api|healthz|openapi)/.test(path)), []);
  assert.deepEqual(foreign(seen.requests, home), []);
  assert.deepEqual(seen.complaints, []);
  await context.close();
});
