// What the peers in JavaScript share: reading the neutral files, timing, writing answers.
import { readFileSync, writeSync } from "node:fs";

/** How many cards an answer holds. */
export const TOP = 5;

/** The rows of a file of JSON Lines. */
export function rows(path) {
  return readFileSync(path, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/** Microseconds of processor time since `start`. */
function micros(start) {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/**
 * Builds an index and answers every title, `passes` times, of which the fastest counts; `find` gives pairs of card id and score, best first.
 * The answers go to standard output, the costs as a last line to standard error.
 */
export function run(build, passes) {
  const [cards, titles] = process.argv.slice(2, 4).map(rows);
  let start = process.cpuUsage();
  const find = build(cards);
  const built = micros(start);
  let found;
  let fastest = Infinity;
  for (let pass = 0; pass < passes; pass++) {
    start = process.cpuUsage();
    found = titles.map(find);
    fastest = Math.min(fastest, micros(start));
  }
  const lines = titles.map(({ title }, at) =>
    JSON.stringify({ title, outcome: { type: "match" }, matches: found[at].map(([cardId, score]) => ({ cardId, score })) }));
  process.stdout.write(lines.join("\n") + "\n");
  writeSync(2, JSON.stringify({ build_seconds: built / 1e6, micros_a_title: fastest / titles.length }) + "\n");
}
