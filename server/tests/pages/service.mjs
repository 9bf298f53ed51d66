// The service as a process, on a database of its own.

import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export async function start(server, lab) {
  const folder = await mkdtemp(join(tmpdir(), "titledex-pages-"));
  const database = `sqlite:${join(folder, "td.db")}`;
  // sold listings that a person must look at: no set, no number
  const sold = join(folder, "sold.jsonl");
  const title = `Charizard PSA 10 <img src=x onerror="document.title='run'"><b>&amp;`;
  const titles = [title, ...["Blastoise", "Mewtwo", "Pikachu", "Gyarados"].flatMap((name) => [`${name} holo PSA 9`, `${name} rare pokemon card NM`])];
  await writeFile(sold, titles.map((title, at) => JSON.stringify({ title, price: 5000 - at, date: "2026-11-12" })).join("\n"));
  execFileSync(server, ["import", "sales", sold, "--database", database], { stdio: "ignore" });
  // a small market, so that a card has something to show
  execFileSync(lab, ["market", "synthetic", "--seed", "5", "--cards", "40", "--days", "400", "--sales", "2000", "--database", database], { stdio: "ignore" });
  const settings = ["serve", "--listen", "127.0.0.1:0", "--database", database];
  const process = spawn(server, settings, { stdio: ["ignore", "pipe", "inherit"], env: { ...globalThis.process.env, RUST_LOG: "warn" } });
  let [admin, address] = ["", ""];
  for await (const line of createInterface({ input: process.stdout })) {
    admin ||= line.match(/shown this once: (\S+)/)?.[1];
    address = line.match(/listening on (\S+)/)?.[1];
    if (address) break;
  }
  const ask = async (path, key, body) => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const response = await fetch(`${address}${path}`, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body) });
    return { status: response.status, ...(await response.json()) };
  };
  const stop = async () => {
    const ended = new Promise((resolve) => process.once("exit", resolve));
    process.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true });
  };
  return { address, admin, ask, stop };
}
