// What the extension says of a price: the keys of grades. Run by .ci/run and scripts/browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gradeKey } from "../../extension/src/background/grades.js";

test("grades have the keys that the service files their sales under", () => {
  for (const line of readFileSync(new URL("../../../fixtures/grades.jsonl", import.meta.url), "utf8").trim().split("\n")) {
    const { title, grade, key } = JSON.parse(line);
    assert.equal(gradeKey(grade) ?? null, key, title);
  }
});
