// Which title is which after the playground's text was edited. Run by .ci/run and scripts/browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { follow } from "../../playground/follow.js";

/** Ids of `titles` after those of `before`, which are 1, 2, 3 … here; 0 stands for a new one. */
function followed(before, titles) {
  const items = before.map((title, at) => ({ id: -1 - at, title }));
  const ids = follow(items, titles);
  assert.equal(new Set(ids).size, titles.length, "no two titles have one id");
  return ids.map((id) => Math.max(0, -id));
}

test("a title keeps its id wherever it stands after an edit", () => {
  const rows = [
    [[], ["A", "B"], [0, 0], "the first text"],
    [["A", "B", "C"], ["A", "B", "C"], [1, 2, 3], "the same"],
    [["A", "B", "C"], ["X", "A", "B", "C"], [0, 1, 2, 3], "a line above"],
    [["A", "B", "C"], ["A", "X", "B", "C"], [1, 0, 2, 3], "a line between"],
    [["A", "B", "C"], ["A", "C"], [1, 3], "a line less"],
    [["A", "B", "C"], ["C", "A", "B"], [3, 1, 2], "another order"],
    [["A", "B", "C"], ["A", "BX", "C"], [1, 2, 3], "one title is typed into"],
    [["A"], ["AX"], [1], "the only title is typed into"],
    [["A", "B"], ["A", "BX", "B"], [1, 0, 2], "one that is like it comes before it"],
    [["A", "B", "C"], ["X", "Y", "Z"], [0, 0, 0], "all are others"],
    [["A", "B", "C"], ["A", "X"], [1, 0], "two became one"],
    [["A", "B"], ["A", "X", "Y"], [1, 0, 0], "one became two"],
    [["A", "B", "C", "D"], ["B", "A", "X", "D"], [2, 1, 3, 4], "one is typed into while others move"],
    [["A", "B", "C", "D"], ["B", "X", "A", "D"], [2, 0, 1, 4], "and another stands in its place"],
    [["A", "A", "B"], ["A", "B"], [1, 3], "of two alike the second is gone"],
    [["A", "B", "A"], ["B", "A", "A"], [2, 1, 3], "of two alike the first stays the first"],
    [["A", "B"], [], [], "nothing is left"],
  ];
  for (const [before, titles, wanted, why] of rows) assert.deepEqual(followed(before, titles), wanted, why);
});

test("ids are not given twice, and a long text takes little time", () => {
  const first = follow([], ["A", "B"]);
  const second = follow([{ id: first[0], title: "A" }], ["A", "B"]);
  assert.equal(second[0], first[0]);
  assert.ok(!first.includes(second[1]));
  const titles = Array.from({ length: 100_000 }, (_, at) => `title ${at % 1000}`);
  const items = titles.map((title, at) => ({ id: -1 - at, title }));
  const from = performance.now();
  assert.equal(follow(items, [...titles].reverse()).length, titles.length);
  assert.ok(performance.now() - from < 5_000);
});
