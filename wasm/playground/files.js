// Files of titles: one title a line, or a table with a column of titles whose other columns are carried along.

/** What sellers' exports call the column of titles, the likeliest first. */
const TITLE_COLUMNS = ["title", "listing title", "item title", "listing", "name", "titel", "artikelbezeichnung", "titre", "título", "titulo", "titolo", "タイトル", "商品名"];
/** Half of the rows this long make a column one of titles where no name says so. */
const LONG = 15;

/**
 * The titles of a file's text, in order; `rows` holds what stands beside each, where the file is a table.
 * @returns {{ titles: string[], rows?: Record<string, string>[], column?: string }}
 */
export function titlesOf(text, name) {
  const plain = text.replace(/^\uFEFF/, "");
  const table = /\.(csv|tsv|tab)$/i.test(name) || (!/\.txt$/i.test(name) && /^[^\n]*[,;\t][^\n]*\n/.test(plain) && headed(plain));
  if (!table) return { titles: plain.split(/\r\n|\r|\n/).map(line).filter(Boolean) };
  const [heads, ...records] = recordsOf(plain, separatorOf(plain));
  if (!heads) return { titles: [] };
  const at = titleColumn(heads, records);
  const titles = [];
  const rows = [];
  for (const record of records) {
    const title = line(record[at] ?? "");
    if (title === "") continue;
    titles.push(title);
    rows.push(Object.fromEntries(heads.map((head, column) => [head || `column ${column + 1}`, record[column] ?? ""]).filter((_, column) => column !== at)));
  }
  return { titles, rows, column: heads[at] };
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

function headed(text) {
  return recordsOf(text.slice(0, 4000), separatorOf(text))[0].some((head) => TITLE_COLUMNS.includes(head.trim().toLowerCase()));
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
  return long.indexOf(Math.max(...long));
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
