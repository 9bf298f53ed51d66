// How the playground reads files of titles. Run by .ci/run and scripts/browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { besides, titlesOf } from "../../playground/files.js";

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

test("a list has a title a line, a table a column of them", () => {
  assert.deepEqual(titlesOf("\uFEFFA 1\r\n\r\n B  2\rC, 3", "list.txt"), { titles: ["A 1", "B 2", "C, 3"] });
  const table = titlesOf('sku;"Item title";price\r\nA1;"Charizard; ""Base Set""";12,50\r\n;;\r\n', "stock.csv");
  assert.deepEqual(table, { titles: ['Charizard; "Base Set"'], rows: [{ sku: "A1", price: "12,50" }], longer: 0 });
  // the names of columns tell a table whose own name does not
  assert.deepEqual(titlesOf("title\tsku\nA\t1\n", "stock").titles, ["A"]);
  assert.deepEqual(titlesOf("Pikachu, holo\nA, B\n", "stock").titles, ["Pikachu, holo", "A, B"]);
});

test("Excel's line that names the separator is none of titles", () => {
  for (const first of ["sep=;", "SEP=;", '"sep=;"', "\uFEFFsep=;"]) {
    for (const end of ["\r\n", "\n", "\r"]) {
      const text = [first, "title;note", "A, B;c,d", ""].join(end);
      for (const name of ["stock.csv", "stock"]) assert.deepEqual(titlesOf(text, name), { titles: ["A, B"], rows: [{ note: "c,d" }], longer: 0 }, JSON.stringify([text, name]));
    }
  }
  assert.deepEqual(titlesOf("sep=|\nsku|title\n1|A\n", "stock.csv").titles, ["A"]);
  assert.deepEqual(titlesOf("sep=;", "stock.csv"), { titles: [] });
});

test("separators in a table of one column are of its titles", () => {
  assert.deepEqual(titlesOf("Title\r\nfoo, bar\r\nfoo; bar\r\nA,,B,,\r\nfoo\r\n", "x.csv").titles, ["foo, bar", "foo; bar", "A,,B", "foo"]);
  assert.deepEqual(titlesOf('Title\n"foo, bar",\n', "x.csv").titles, ["foo, bar"]);
});

test("rows that go on behind the last column are counted", () => {
  const { titles, rows, longer } = titlesOf("sku,title\nA1,foo, bar\nA2,foo,,\nA3\nA4,foo\n,,x\n", "x.csv");
  assert.deepEqual([titles, rows.map(({ sku }) => sku), longer], [["foo", "foo", "foo"], ["A1", "A2", "A4"], 1]);
});

test("columns that share a name are all kept, numbered as the command numbers them", () => {
  const { titles, rows } = titlesOf("title,price,price,,price.2,price,title,note,\nPikachu 58/102,1,2,3,4,5,6,x,7\n", "x.csv");
  assert.deepEqual([titles, rows], [["Pikachu 58/102"], [{ price: "1", "price.2": "2", "column 4": "3", "price.2.2": "4", "price.3": "5", "title.2": "6", note: "x", "column 9": "7" }]]);
  const from = performance.now();
  const many = titlesOf(`title${",a".repeat(100_000)}\nA${",1".repeat(100_000)}\n`, "x.csv");
  assert.equal(Object.keys(many.rows[0]).length, 100_000);
  assert.ok(performance.now() - from < 5_000, "100,000 columns of one name take less than five seconds");
});

test("odd files are read, if as nothing", () => {
  for (const text of ["", "\n", '"\t"\n', '"', ",", ",,\n", "\uFEFF", "sep=", '"\n\n', "\0"]) {
    for (const name of ["x.csv", "x.tsv", "x.txt", "x"]) assert.ok(Array.isArray(titlesOf(text, name).titles), JSON.stringify([text, name]));
  }
  assert.deepEqual(titlesOf('"\t"\n', "x").titles, ['" "']);
  // more columns than a call takes arguments
  assert.deepEqual(titlesOf(`${",".repeat(300_000)}\nA Charizard of fifteen letters\n`, "x.csv").titles, ["A Charizard of fifteen letters"]);
  // one line as long as a file may be
  assert.equal(titlesOf("a,".repeat(2_000_000), "x").titles.length, 1);
});
