// When the playground can be used on a first visit with a slow phone: `TITLEDEX_SERVER=… node wasm/tests/interactive.mjs` after scripts/browser
// build. The profile is that of Lighthouse for phones: 1.6 Mbit/s, 150 ms of latency, a processor four times slower. The service sends the files,
// compressed as it does.
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
const settings = ["serve", "--listen", "127.0.0.1:0", "--database", `sqlite:${join(folder, "td.db")}`, "--playground", "dist/playground"];
const service = spawn(process.env.TITLEDEX_SERVER, settings, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, RUST_LOG: "warn" } });
let home;
for await (const line of createInterface({ input: service.stdout })) {
  home = line.match(/listening on (\S+)/)?.[1];
  if (home) break;
}
const browser = await launch();
for (const languages of ["english", "all"]) {
  const times = [];
  for (let visit = 0; visit < VISITS; visit += 1) {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, serviceWorkers: "block" });
    await context.addInitScript(([languages, title]) => {
      document.addEventListener("readystatechange", () => {
        if (document.readyState !== "interactive") return;
        document.getElementById("catalogue").value = languages;
        const field = document.getElementById("titles");
        field.value = title;
      });
      const look = () => {
        const now = performance.now();
        globalThis.times ??= {};
        // the theme's button is shown by the page's own script, when it runs
        if (!globalThis.times.usable && document.getElementById("theme")?.hidden === false) globalThis.times.usable = now;
        if (!globalThis.times.answered && document.querySelector("#single .named")) globalThis.times.answered = now;
        requestAnimationFrame(look);
      };
      look();
    }, [languages, TITLE]);
    const page = await context.newPage();
    const inspector = await context.newCDPSession(page);
    await inspector.send("Network.enable");
    await inspector.send("Network.emulateNetworkConditions", PROFILE);
    await inspector.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
    await page.goto(`${home}/`);
    await page.waitForFunction(() => globalThis.times?.answered, undefined, { timeout: 120_000 });
    times.push(await page.evaluate(() => globalThis.times));
    await context.close();
  }
  const median = (name) => times.map((of) => of[name]).sort((a, b) => a - b)[Math.floor(VISITS / 2)];
  const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
  console.log(`${languages}: the field takes titles after ${seconds(median("usable"))}, the first answer after ${seconds(median("answered"))}`);
}
await browser.close();
const ended = new Promise((done) => service.once("exit", done));
service.kill("SIGTERM");
await ended;
rmSync(folder, { recursive: true });
