// What playground and extension share: with the service's pages, which is at home in server/pages, and of the package, whose games it has.
import { cpSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FILES = ["tokens.css", "theme.js", "shops.json", "icon.svg"];

/** Puts the shared files into a folder. */
export function copyDesign(to) {
  for (const name of FILES) cpSync(fileURLToPath(new URL(`../server/pages/${name}`, import.meta.url)), join(to, name));
}

/** Writes which games the package in a folder has packs of: `games.js`. */
export function writeGames(from, to) {
  const folders = readdirSync(join(from, "catalogue"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const games = ["pokemon", ...folders.map(({ name }) => name).sort()];
  writeFileSync(join(to, "games.js"), `/** The games that there are cards of, the first one first. */\nexport const GAMES = ${JSON.stringify(games)};\n`);
  return games;
}
