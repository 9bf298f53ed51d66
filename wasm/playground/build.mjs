// Lays the playground out in a folder: its own modules as one file, and the npm package beside it. `node build.mjs dist/npm dist/playground`
import { cpSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gunzipSync } from "node:zlib";
import { copyDesign, writeGames } from "../design.mjs";
import { recordsOf } from "./files.js";

const [from, to] = process.argv.slice(2);
if (!from || !to) throw new Error("usage: build.mjs PACKAGE FOLDER");
const own = dirname(fileURLToPath(import.meta.url));

/** All files below a folder, as paths from it. */
function files(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}

rmSync(to, { recursive: true, force: true });
mkdirSync(to, { recursive: true });
cpSync(own, to, { recursive: true, filter: (path) => !path.endsWith("build.mjs") });
copyDesign(join(to, "ui"));
const [first, ...others] = writeGames(from, join(to, "ui"));
cpSync(from, join(to, "titledex"), { recursive: true, filter: (path) => !/(\.d\.ts|\.md|package\.json)$/.test(path) });
const { build } = createRequire(new URL("../package/package.json", import.meta.url))("esbuild");
// what writes Parquet files, as one module, which is fetched when somebody wants such a file
await build({
  stdin: { contents: 'export { parquetWriteBuffer } from "hyparquet-writer";', resolveDir: fileURLToPath(new URL("../package", import.meta.url)) },
  bundle: true,
  format: "esm",
  platform: "browser",
  minify: true,
  banner: { js: "// hyparquet-writer and hyparquet, by Hyperparam, MIT: parquet.LICENSE" },
  outfile: join(to, "parquet.js"),
});
// Each of the three that a page starts becomes one file, in its place: as modules that import each other they took a phone 1.3 s to fetch, a round
// after another, before anything listened.
const entries = ["app.js", "titledex/worker-entry.js", "titledex/games-worker-entry.js"];
await build({
  entryPoints: entries.map((path) => join(to, path)),
  bundle: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  minify: true,
  external: ["./parquet.js"],
  outdir: to,
  outbase: to,
  allowOverwrite: true,
});
const alone = [...entries, "sw.js", "parquet.js", "ui/theme.js"];
for (const path of files(to)) if (path.endsWith(".js") && !alone.includes(path)) rmSync(join(to, path));
// beside the script that asks for it
renameSync(join(to, "ui/shops.json"), join(to, "shops.json"));
cpSync(fileURLToPath(new URL("../package/node_modules/hyparquet-writer/LICENSE", import.meta.url)), join(to, "parquet.LICENSE"));
// the words that the search box completes: names of cards and sets; those of the first game as the reader itself gives them to the names of all its subjects
const { TitleDex } = await import(pathToFileURL(join(resolve(from), "index.js")));
const dex = await TitleDex.load({ catalogue: join(from, "catalogue/all.pack") });
const subjects = readFileSync(new URL("../../dictionaries/pokemon/subjects.csv", import.meta.url), "utf8").trim().split("\n").slice(1);
const words = new Set();
for (const name of subjects.map((line) => line.split(",")[1])) {
  for (const more of ["", " holo promo", " Japanese"]) for (const match of dex.parse(name + more, { maxSuggestions: 50 }).matches) words.add(match.name).add(match.setName);
}
mkdirSync(join(to, "words"));
const write = (game, words) => writeFileSync(join(to, `words/${game}.json`), JSON.stringify([...words].sort()));
write(first, words);
// those of the other games as their tables have them
for (const game of others) {
  const table = (name) => {
    const packed = readFileSync(new URL(`../../embedded/tables/${game}/${name}.csv.gz`, import.meta.url));
    const [heads, ...records] = recordsOf(gunzipSync(packed).toString(), ",");
    return records.map((record) => Object.fromEntries(heads.map((head, at) => [head, record[at]])));
  };
  const names = [...table("names").map((row) => row.name_en), ...table("sets").map((row) => row.english || row.name_en)];
  write(game, new Set(names.filter(Boolean)));
}
// beside all but the page, to which the service adds its links, the same after brotli: `titledex-server serve` and other servers that look for it
// send that instead
const compressed = promisify(brotliCompress);
const compress = async (path) => {
  const bytes = readFileSync(join(to, path));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(join(to, `${path}.br`), await compressed(bytes, { params }));
};
await Promise.all(files(to).filter((path) => /\.(wasm|pack|js|css|json|svg)$/.test(path)).map(compress));
// what the service worker keeps for times without a network
writeFileSync(join(to, "files.json"), `${JSON.stringify(files(to).filter((path) => !/(LICENSE|NOTICE|sw\.js|\.br)$/.test(path)), null, 2)}\n`);
