// What playground and extension share with the service's pages, which has its home in server/pages.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FILES = ["tokens.css", "theme.js", "shops.json", "icon.svg"];

/** Puts the shared files into a folder. */
export function copyDesign(to) {
  for (const name of FILES) cpSync(fileURLToPath(new URL(`../server/pages/${name}`, import.meta.url)), join(to, name));
}
