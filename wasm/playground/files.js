// Files of titles: one title a line, or a table with a column of titles whose other columns are carried along.

/** What sellers' exports call the column of titles, the likeliest first. */
const TITLE_COLUMNS = ["title", "listing title", "item title", "listing", "name", "titel", "artikelbezeichnung", "titre", "título", "titulo", "titolo", "タイトル", "商品名"];
/** Half of the rows this long make a column one of titles where no name says so. */
const LONG = 15;

/**
 * The titles of a file's text, in order. Where the file is a table, `rows` holds what stands beside each, and `longer` is how many of these rows have
 * more cells than the first one has names: what the seller wrote may be cut there.
 * @returns {{ titles: string[], rows?: Record<string, string>[], longer?: number }}
 */
export function titlesOf(text, name) {
  const { plain, separator, named } = begun(text);
  const table = /\.(csv|tsv|tab)$/i.test(name) || (!/\.txt$/i.test(name) && (named || headed(plain, separator)));
  if (!table) return { titles: plain.split(/\r\n|\r|\n/).map(line).filter(Boolean) };
  const [heads, ...records] = recordsOf(plain, separator);
  if (!heads) return { titles: [] };
  const at = titleColumn(heads, records);
  const names = distinct(heads.map((head, column) => head || `column ${column + 1}`));
  const titles = [];
  const rows = [];
  let longer = 0;
  for (const record of records) {
    // separators in a file of one column are of its titles
    const title = line((heads.length === 1 ? filled(record).join(separator) : record[at]) ?? "");
    if (title === "") continue;
    if (heads.length > 1 && filled(record).length > heads.length) longer += 1;
    titles.push(title);
    rows.push(Object.fromEntries(names.map((name, column) => [name, record[column] ?? ""]).filter((_, column) => column !== at)));
  }
  return { titles, rows, longer };
}

/** Names of columns as the command has them: one that repeats gets a number (`price.2`), so that no value hides another. */
function distinct(columns) {
  const seen = new Set();
  /** The last number of each name that repeats: a file may have one name a hundred thousand times. */
  const numbers = new Map();
  for (const column of columns) {
    let name = column;
    let number = numbers.get(column) ?? 1;
    while (seen.has(name)) name = `${column}.${(number += 1)}`;
    numbers.set(column, number);
    seen.add(name);
  }
  return [...seen];
}

/** A text without its byte order mark and the line by which Excel names the separator (`sep=;`), and that separator, or the likeliest. */
function begun(text) {
  const whole = text.replace(/^\uFEFF/, "");
  const [first, separator] = /^"?sep=(.)"?(?:\r\n|\r|\n|$)/i.exec(whole) ?? [];
  return first === undefined ? { plain: whole, separator: separatorOf(whole), named: false } : { plain: whole.slice(first.length), separator, named: true };
}

/** A record without the empty cells behind its last one that has something. */
function filled(record) {
  return record.slice(0, record.findLastIndex((cell) => cell.trim() !== "") + 1);
}

/** What stands beside each title, by title in the order of the file; of no title where the file is no table. */
export function besides(titles, rows) {
  const beside = new Map();
  if (!rows) return beside;
  titles.forEach((title, place) => {
    const known = beside.get(title);
    if (known) known.push(rows[place]);
    else beside.set(title, [rows[place]]);
  });
  return beside;
}

/** A title in one line, as the field holds it. */
function line(text) {
  return text.replace(/\s+/gu, " ").trim();
}

/** Whether the first of several lines names columns, one of them that of titles. */
function headed(text, separator) {
  const [heads] = recordsOf(text.slice(0, 4000), separator);
  return /[\r\n]/.test(text) && heads?.length > 1 && heads.some((head) => TITLE_COLUMNS.includes(head.trim().toLowerCase()));
}

/** The one of comma, semicolon and tab that the first line has most of. */
function separatorOf(text) {
  const first = text.slice(0, text.search(/\r|\n/) + 1 || undefined).replace(/"[^"]*"/g, "");
  const count = (separator) => first.split(separator).length;
  return [",", ";", "\t"].reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}

function titleColumn(heads, records) {
  const names = heads.map((head) => head.trim().toLowerCase());
  for (const name of TITLE_COLUMNS) if (names.includes(name)) return names.indexOf(name);
  const sample = records.slice(0, 200);
  const long = heads.map((_, at) => sample.filter((record) => (record[at] ?? "").length >= LONG).length);
  return long.reduce((best, count, at) => (count > long[best] ? at : best), 0);
}

/** The records of a CSV text (RFC 4180, with any line end). */
export function recordsOf(text, separator) {
  const records = [];
  let record = [];
  let cell = "";
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') cell += text[++at];
      else quoted = false;
    } else if (letter === '"' && cell === "") quoted = true;
    else if (letter === separator) {
      record.push(cell);
      cell = "";
    } else if (letter === "\n" || letter === "\r") {
      if (letter === "\r" && text[at + 1] === "\n") at += 1;
      record.push(cell);
      records.push(record);
      record = [];
      cell = "";
    } else cell += letter;
  }
  if (cell !== "" || record.length > 0) records.push([...record, cell]);
  return records.filter((all) => all.length > 1 || all[0].trim() !== "");
}
