// The size ratchet: what a browser fetches may not grow by more than 2 % unannounced, nor above its limit.
//
//   scripts/package sizes                             print, fail where a file of dist/npm is more than 2 % above fixtures/sizes.json
//   UPDATE=1 REASON="why" scripts/package sizes       record the sizes, and why they changed
//
// Sizes are those after brotli at its best, which takes long: that of the same bytes is kept in target/brotli. A module's size belongs to a
// compiler: under another one only the limit is looked at.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const KIB = 1024;
const LIMITS = { "titledex.wasm": 400 * KIB, "games.wasm": 450 * KIB, "catalogue/english.pack": 250 * KIB, "catalogue/english-japanese.pack": 600 * KIB };
const SLACK = 1.02;
const root = new URL("../../", import.meta.url);
const record = new URL("fixtures/sizes.json", root);

const rustc = execFileSync("rustc", ["-V"], { encoding: "utf8" }).split(" ")[1];
const packs = readdirSync(new URL("dist/npm/catalogue", root), { recursive: true }).filter((name) => name.endsWith(".pack"));
const compressed = promisify(brotliCompress);
const kept = join(process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL("target", root)), "brotli");
mkdirSync(kept, { recursive: true });
const sizeOf = async (name) => {
  const bytes = readFileSync(new URL(`dist/npm/${name}`, root));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const digest = createHash("sha256").update(`${process.versions.brotli} ${JSON.stringify(params)}`).update(bytes).digest("hex");
  const same = join(kept, digest);
  if (!existsSync(same)) {
    writeFileSync(`${same}.part`, String((await compressed(bytes, { params })).length));
    renameSync(`${same}.part`, same);
  }
  return [name, { bytes: bytes.length, brotli: Number(readFileSync(same, "utf8")) }];
};
const modules = Object.keys(LIMITS).filter((name) => name.endsWith(".wasm"));
const built = modules.filter((name) => existsSync(new URL(`dist/npm/${name}`, root)));
if (process.env.UPDATE && built.length < modules.length) throw new Error("sizes of all modules are recorded: run `scripts/package module` first");
const names = [...built, ...packs.map((name) => `catalogue/${name}`).sort()];
// at once: a processor for each
const sizes = Object.fromEntries(await Promise.all(names.map(sizeOf)));
if (process.env.UPDATE) {
  if (!process.env.REASON) throw new Error("say why the sizes changed: UPDATE=1 REASON=… scripts/package sizes");
  writeFileSync(record, `${JSON.stringify({ reason: process.env.REASON, rustc, sizes }, null, 1)}\n`);
}
const recorded = JSON.parse(readFileSync(record, "utf8"));
let failed = false;
for (const [name, { bytes, brotli }] of Object.entries(sizes)) {
  const before = recorded.sizes[name]?.brotli ?? 0;
  const compared = !name.endsWith(".wasm") || recorded.rustc === rustc;
  const grown = compared && brotli > before * SLACK;
  const over = brotli > (LIMITS[name] ?? Infinity);
  failed ||= grown || over;
  const said = grown ? ": grown by more than 2 %: UPDATE=1 REASON=… scripts/package sizes" : over ? `: more than ${LIMITS[name]}` : compared ? "" : ` (recorded with rustc ${recorded.rustc})`;
  console.log(`${String(bytes).padStart(9)} bytes, ${String(brotli).padStart(9)} after brotli, recorded ${before}: ${name}${said}`);
}
process.exitCode = failed ? 1 : 0;
