// Pictures of playground and service pages against those in fixtures/pictures, at four widths, light and dark. `UPDATE=1` keeps the new ones.
// Run by scripts/pictures, which says which fonts the kept ones were drawn with.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { EXAMPLES } from "../playground/examples.js";
import { launch } from "./browser/chromium.mjs";
import { serve } from "./browser/server.mjs";
import { manyTitles } from "./browser/titles.mjs";
import { dashboard, review } from "./pictures/answers.mjs";

const FOLDER = "fixtures/pictures";
const WIDTHS = [390, 768, 1280, 1920];
/** A pixel differs where one of its colours does by more than this, of 255: text is drawn a little otherwise by every build. */
const SHADE = 40;
/** This share of the pixels may differ. */
const SHARE = 0.0004;

const samples = EXAMPLES.split("\n");
const many = Array.from({ length: 200 }, (_, at) => `${samples[at % samples.length]}${at < samples.length ? "" : ` ${at}`}`).join("\n");
const update = Boolean(process.env.UPDATE);
const changed = process.env.SHOTS ?? "target/pictures";
const static_ = await serve({ "/": "dist/playground" });
const service = await start();
const browser = await launch();

/** The service on a store that has the built-in catalogue and no prices, so that its pages are the same every day. */
async function start() {
  const folder = mkdtempSync(join(tmpdir(), "titledex-pictures-"));
  const settings = ["serve", "--listen", "127.0.0.1:0", "--database", `sqlite:${join(folder, "td.db")}`];
  const server = spawn(process.env.TITLEDEX_SERVER, settings, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, RUST_LOG: "warn" } });
  for await (const line of createInterface({ input: server.stdout })) {
    const address = line.match(/listening on (\S+)/)?.[1];
    const stop = () => new Promise((done) => {
      server.once("exit", () => done(rmSync(folder, { recursive: true })));
      server.kill("SIGTERM");
    });
    if (address) return { address, stop };
  }
  throw new Error("the service did not start");
}

async function read(page, text) {
  await page.locator("#loading").waitFor({ state: "hidden" });
  if (!text) return;
  await page.evaluate((text) => {
    const field = document.getElementById("titles");
    field.value = text;
    field.dispatchEvent(new Event("input"));
  }, text);
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("read in"));
  // how long it took is another figure each time
  await page.evaluate(() => (document.getElementById("status").textContent = "read in 50 ms"));
}

/** Opens a page that asks for a key, with answers that are the same every day. */
async function enter(page, answers, shown) {
  await page.route("**/api/**", (route) => {
    const { pathname } = new URL(route.request().url());
    return route.fulfill(answers[pathname] ? { json: answers[pathname] } : { status: 404, json: {} });
  });
  await page.fill("#key", "td_live_pictures");
  await page.click("#enter button");
  await page.locator(shown).waitFor();
}

const playground = static_.address("/");
const STATES = [
  ["playground-empty", playground, (page) => read(page, "")],
  ["playground-one", playground, (page) => read(page, samples[0])],
  ["playground-ambiguous", playground, async (page) => {
    await read(page, "Pikachu holo promo PSA 10");
    await page.locator(".why summary").click();
  }],
  ["playground-200", playground, (page) => read(page, many)],
  ["playground-200-open", playground, async (page) => {
    await read(page, many);
    await page.locator("#row-1 .card-cell").click();
  }],
  ["playground-10000", playground, (page) => read(page, manyTitles(10_000).join("\n"))],
  ["landing", `${service.address}/about`],
  ["docs", `${service.address}/docs`],
  ["sets", `${service.address}/sets`],
  ["set", `${service.address}/sets/base1`],
  ["search", `${service.address}/search?q=umbreon+vmax`],
  ["card", `${service.address}/cards/swsh7-215`],
  ["missing", `${service.address}/nowhere`],
  ["dashboard", `${service.address}/dashboard`, (page) => enter(page, dashboard, "#account")],
  ["review", `${service.address}/review`, async (page) => {
    await enter(page, review, "#queue");
    await page.locator(".listing.active [data-part]").first().waitFor();
    await page.locator(".listing.active .why summary").click();
  }],
];

/** The share of pixels that differ, as the browser decodes the two pictures; 1 where their sizes do. */
async function differs(page, one, other) {
  return page.evaluate(async ([one, other, shade]) => {
    const pixels = async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height);
    };
    const [a, b] = [await pixels(one), await pixels(other)];
    if (a.width !== b.width || a.height !== b.height) return 1;
    let count = 0;
    for (let at = 0; at < a.data.length; at += 4) {
      if ([0, 1, 2].some((of) => Math.abs(a.data[at + of] - b.data[at + of]) > shade)) count += 1;
    }
    return count / (a.data.length / 4);
  }, [one.toString("base64"), other.toString("base64"), SHADE]);
}

mkdirSync(FOLDER, { recursive: true });
mkdirSync(changed, { recursive: true });
const judge = await browser.newPage();
await judge.goto(static_.address("/files.json"));
let wrong = 0;
for (const [state, address, prepare] of STATES) {
  for (const width of WIDTHS) {
    for (const colorScheme of ["light", "dark"]) {
      const name = `${state}-${width}-${colorScheme}.jpg`;
      // half the pixels are enough to see a change
      const context = await browser.newContext({ viewport: { width, height: width < 500 ? 844 : 800 }, deviceScaleFactor: 0.5, colorScheme, reducedMotion: "reduce" });
      const page = await context.newPage();
      page.setDefaultTimeout(120_000);
      await page.goto(address);
      await prepare?.(page);
      // the samples name the port of this run
      await page.evaluate(() => document.querySelectorAll("pre.curl").forEach((pre) => (pre.textContent = pre.textContent.replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:8080"))));
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))));
      const shot = await page.screenshot({ type: "jpeg", quality: 40 });
      await context.close();
      let kept;
      try {
        kept = readFileSync(join(FOLDER, name));
      } catch {
        // a new state
      }
      const share = kept ? await differs(judge, kept, shot) : 1;
      if (share <= SHARE) continue;
      if (update) writeFileSync(join(FOLDER, name), shot);
      else {
        writeFileSync(join(changed, name), shot);
        console.error(kept ? `${name}: ${(share * 100).toFixed(2)}% of it differs: look at ${changed}/${name}` : `${name}: there is no picture of it`);
        wrong += 1;
      }
    }
  }
}
await browser.close();
await static_.close();
await service.stop();
if (wrong > 0) {
  console.error(`${wrong} pictures differ; UPDATE=1 scripts/pictures keeps them as they are now`);
  process.exitCode = 1;
}
