// When the playground can be used on a first visit with a slow phone: `TITLEDEX_SERVER=… node wasm/tests/interactive.mjs [FOLDER]` after
// scripts/browser build. The profile is that of Lighthouse for phones: 1.6 Mbit/s, 150 ms of latency, a processor four times slower. The service
// sends the files, compressed as it does. A visitor types from the moment that the field is there.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { launch } from "./browser/chromium.mjs";

const TITLE = "1999 Pokemon Base Set Shadowless Charizard #4 Holo PSA 9 MINT";
const PROFILE = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 };
const SLOWER = 4;
const VISITS = 5;

const folder = mkdtempSync(join(tmpdir(), "titledex-interactive-"));
const settings = ["serve", "--listen", "127.0.0.1:0", "--database", `sqlite:${join(folder, "td.db")}`, "--playground", process.argv[2] ?? "dist/playground"];
const service = spawn(process.env.TITLEDEX_SERVER, settings, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, RUST_LOG: "warn" } });
let home;
for await (const line of createInterface({ input: service.stdout })) {
  home = line.match(/listening on (\S+)/)?.[1];
  if (home) break;
}
const browser = await launch();
for (const languages of ["english", "all"]) {
  const visits = [];
  for (let visit = 0; visit < VISITS; visit += 1) {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    await context.addInitScript(([languages, title]) => {
      // service workers have no pages
      if (!globalThis.document) return;
      const seen = (globalThis.seen = { blocked: 0, slowest: 0 });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) seen.blocked = Math.max(seen.blocked, duration);
      }).observe({ type: "longtask", buffered: true });
      // from the key to the frame that shows it; keys before the page's script are the browser's own
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) seen.slowest = Math.max(seen.slowest, duration);
      }).observe({ type: "event", durationThreshold: 16, buffered: true });
      document.addEventListener("readystatechange", () => {
        if (document.readyState !== "interactive") return;
        document.getElementById("catalogue").value = languages;
        document.getElementById("titles").value = title;
      });
      const look = () => {
        const now = performance.now();
        if (!seen.painted && document.getElementById("titles")) seen.painted = now;
        // the samples are the page's own script's, which then listens to everything
        if (!seen.usable && document.querySelector("#samples li")) seen.usable = now;
        if (!seen.answered && document.querySelector("#single .named")) seen.answered = now;
        requestAnimationFrame(look);
      };
      look();
    }, [languages, TITLE]);
    const page = await context.newPage();
    const inspector = await context.newCDPSession(page);
    await inspector.send("Network.enable");
    await inspector.send("Network.emulateNetworkConditions", PROFILE);
    await inspector.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
    await page.goto(`${home}/`, { waitUntil: "commit" });
    await page.waitForFunction(() => globalThis.seen?.usable, undefined, { timeout: 120_000 });
    await page.locator("#titles").focus();
    while (!(await page.evaluate(() => globalThis.seen.answered))) {
      await page.keyboard.press("End");
      await page.waitForTimeout(200);
    }
    visits.push(await page.evaluate(() => ({
      ...globalThis.seen,
      files: performance.getEntriesByType("resource").map(({ name, startTime, responseEnd, transferSize }) => `${Math.round(startTime).toString().padStart(6)} to ${Math.round(responseEnd).toString().padStart(6)} ms ${transferSize.toString().padStart(7)} ${new URL(name).pathname}`),
    })));
    await context.close();
  }
  const median = (name) => visits.map((of) => of[name]).sort((a, b) => a - b)[Math.floor(VISITS / 2)];
  const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
  console.log(`${languages}: shown after ${seconds(median("painted"))}, usable after ${seconds(median("usable"))}, the first answer after ${seconds(median("answered"))}; the longest task ${Math.round(median("blocked"))} ms, the slowest key ${Math.round(median("slowest"))} ms`);
  if (process.env.FILES) console.log(visits[0].files.join("\n"));
}
await browser.close();
const ended = new Promise((done) => service.once("exit", done));
service.kill("SIGTERM");
await ended;
rmSync(folder, { recursive: true });
