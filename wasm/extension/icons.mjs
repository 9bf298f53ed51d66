// Renders the icon of all pages into icons/*.png: `node wasm/extension/icons.mjs`, when the drawing has changed.
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch } from "../tests/browser/chromium.mjs";

const own = dirname(fileURLToPath(import.meta.url));
const drawing = readFileSync(join(own, "../../server/pages/icon.svg"), "utf8");
mkdirSync(join(own, "icons"), { recursive: true });
const browser = await launch();
for (const size of [16, 32, 48, 128]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${drawing}`);
  await page.screenshot({ path: join(own, "icons", `${size}.png`), omitBackground: true });
  await page.close();
}
await browser.close();
