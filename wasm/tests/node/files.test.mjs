// How the playground reads files of titles. Run by .ci/run and scripts/browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { besides } from "../../playground/files.js";

test("what stands beside a title is kept in the order of the file, for titles that repeat too", () => {
  const rows = [{ sku: "A1" }, { sku: "B1" }, { sku: "A2" }];
  assert.deepEqual([...besides(["A", "B", "A"], rows)], [["A", [rows[0], rows[2]]], ["B", [rows[1]]]]);
  assert.equal(besides(["A", "B"], undefined).size, 0);
  // each title is looked at once: with a copy of the list for each this takes a minute
  const many = Array.from({ length: 60_000 }, (_, at) => ({ sku: String(at) }));
  const from = performance.now();
  assert.equal(besides(many.map(() => "A"), many).get("A").length, 60_000);
  assert.ok(performance.now() - from < 5_000, "60,000 equal titles take less than five seconds");
});
