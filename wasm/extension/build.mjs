// Lays the extension out for each browser: `node build.mjs dist/npm dist` makes dist/extension-chromium and dist/extension-firefox.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyDesign, writeGames } from "../design.mjs";

const [from, to] = process.argv.slice(2);
if (!from || !to) throw new Error("usage: build.mjs PACKAGE FOLDER");
const own = dirname(fileURLToPath(import.meta.url));
const read = (name) => JSON.parse(readFileSync(join(own, name), "utf8"));
const { version } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));

for (const [browser, differs] of Object.entries(read("browsers.json"))) {
  const folder = join(to, `extension-${browser}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(own, "src"), folder, { recursive: true });
  cpSync(join(own, "icons"), join(folder, "icons"), { recursive: true });
  cpSync(join(own, "../playground/ui"), join(folder, "ui"), { recursive: true });
  copyDesign(join(folder, "ui"));
  writeGames(from, join(folder, "ui"));
  cpSync(from, join(folder, "titledex"), { recursive: true, filter: (path) => !/(\.d\.ts|\.md|package\.json)$/.test(path) });
  writeFileSync(join(folder, "manifest.json"), `${JSON.stringify({ ...read("manifest.json"), version, ...differs }, null, 2)}\n`);
}
