// Times of the playground with 10,000 titles: frames while its table scrolls, sorting, filtering. `node wasm/tests/frames.mjs` after scripts/browser build.
import { launch } from "./browser/chromium.mjs";
import { serve } from "./browser/server.mjs";
import { manyTitles } from "./browser/titles.mjs";

const FRAMES = 600;
const server = await serve({ "/": "dist/playground" });
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto(server.address("/"));
await page.locator("#loading").waitFor({ state: "hidden" });
await page.locator("#file").setInputFiles({ name: "titles.txt", mimeType: "text/plain", buffer: Buffer.from(manyTitles(10_000).join("\n")) });
await page.waitForFunction(() => document.getElementById("status").textContent.includes("read in"), undefined, { timeout: 60_000 });
console.log(await page.textContent("#status"));
for (const step of [0, 30, 90, 300]) {
  const times = await page.evaluate(async ({ step, frames }) => {
    const rows = document.querySelector(".grid-rows");
    rows.scrollTop = 0;
    await new Promise((done) => setTimeout(done, 500));
    const times = [];
    for (let at = 0; at < frames; at += 1) {
      const from = performance.now();
      rows.scrollTop += step;
      await new Promise(requestAnimationFrame);
      times.push(performance.now() - from);
    }
    return times.sort((a, b) => a - b);
  }, { step, frames: FRAMES });
  const part = (of) => times[Math.floor(of * (FRAMES - 1))].toFixed(1);
  console.log(`${step} pixels a frame: median ${part(0.5)} ms, 95% ${part(0.95)} ms, 99% ${part(0.99)} ms, longest ${part(1)} ms`);
}
const work = (name, run, given) => page.evaluate(run, given).then((ms) => console.log(`${name}: ${ms.toFixed(1)} ms`));
for (const column of ["card", "set", "grade", "sure"]) {
  await work(`sort by ${column}`, (column) => {
    const from = performance.now();
    document.querySelector(`[data-column=${column}] button`).click();
    return performance.now() - from;
  }, column);
}
await work("filter by words", () => {
  const field = document.getElementById("words");
  const from = performance.now();
  field.value = "charizard psa";
  field.dispatchEvent(new Event("input"));
  return performance.now() - from;
});
await browser.close();
await server.close();
