// Answers as text: JSON as the library gives it, CSV as `titledex parse --format csv` writes it. What a file had beside a title is in
// `row`, and a card that was chosen by hand in `chosen`. Parquet has CSV's columns.

export const COLUMNS = [
  "title kind game name number total set setId year language edition finish pattern stamps treatment errors size rarity grader graderCode grade gradeLabel qualifier",
  "certNumber autograph condition quantity unread outcome outcomeConfidence ambiguousOn notInCatalogue cardId marketplaceId cardName cardSet cardSetId cardNumber",
  "cardRarity cardLanguage printing cardConfidence otherCards tcgplayerId cardmarketId settledBy error errorMessage",
].flatMap((line) => line.split(" "));
const CHOSEN = ["cardId", "marketplaceId", "name", "setName", "cardNumber"];

export function toJson(items) {
  const lines = items.map(({ answer, row, chosen }) => JSON.stringify({ ...answer, ...(row && { row }), ...(chosen && { chosen: picked(chosen) }) }));
  return `[\n${lines.join(",\n")}\n]\n`;
}

/** Columns of numbers in Parquet; the others are of text. */
const NUMBERS = {
  INT32: ["year", "quantity", "tcgplayerId", "cardmarketId"],
  DOUBLE: ["grade", "autograph", "outcomeConfidence", "notInCatalogue", "cardConfidence"],
};

/** The bytes of a Parquet file; what writes it is fetched now. */
export async function toParquet(items) {
  const { parquetWriteBuffer } = await import("./parquet.js");
  const { heads, lines } = tableOf(items);
  const columnData = heads.map((name, at) => {
    const type = Object.keys(NUMBERS).find((type) => NUMBERS[type].includes(name)) ?? "STRING";
    const text = (given) => textOf(given ?? "") || null;
    const number = (given) => (given === undefined ? null : Number(given));
    const value = type === "STRING" ? text : number;
    return { name, type, nullable: true, data: lines.map((line) => value(line[at])) };
  });
  return parquetWriteBuffer({ columnData });
}

export function toCsv(items) {
  const { heads, lines } = tableOf(items);
  return [heads, ...lines].map((line) => `${line.map(cell).join(",")}\n`).join("");
}

/** The columns of items, and the cells of each. */
function tableOf(items) {
  const carried = [...new Set(items.flatMap(({ row }) => Object.keys(row ?? {})))];
  const chosen = items.some((item) => item.chosen) ? CHOSEN : [];
  const heads = [...COLUMNS, ...chosen.map((name) => `chosen.${name}`), ...carried.map((name) => `row.${name}`)];
  const lines = items.map((item) => [...cells(item.answer), ...chosen.map((name) => item.chosen?.[name]), ...carried.map((name) => item.row?.[name])]);
  return { heads, lines };
}

function picked(match) {
  return Object.fromEntries(CHOSEN.map((name) => [name, match[name]]));
}

function cells({ title, parsed, outcome, matches, error }) {
  const { set, printing = {}, grade = {} } = parsed;
  const [first, ...others] = matches;
  return [
    title, parsed.kind, parsed.game, parsed.name, parsed.number, parsed.total, set?.name, set?.id, parsed.year, parsed.language,
    printing.edition, printing.finish, printing.pattern, printing.stamps, printing.treatment, printing.errors, printing.size, parsed.rarity,
    grade.grader, grade.graderCode, grade.value, grade.label, grade.qualifier, grade.certNumber, grade.autograph, parsed.condition, parsed.quantity,
    parsed.unread.map(({ text }) => text), outcome.type, outcome.confidence, outcome.ambiguousOn, outcome.notInCatalogue,
    first?.cardId, first?.marketplaceId, first?.name, first?.setName, first?.setId, first?.cardNumber, first?.rarity, first?.language, first?.printing, first?.confidence,
    others.map(({ cardId }) => cardId), first?.ids?.tcgplayer, first?.ids?.cardmarket, settledBy(outcome, matches), error?.code, error?.message,
  ];
}

/** A card whose probability is this share of the first one's fits the title too. */
const FITS_TOO = 0.1;
const VALUES = {
  set: (match) => match.setName,
  number: (match) => match.cardNumber,
  name: (match) => match.name,
  language: (match) => match.language,
  rarity: (match) => match.rarity,
  printing: (match) => match.printing,
};

/** What would settle an ambiguous title: each attribute, with the values of the cards that fit. */
function settledBy({ ambiguousOn = [] }, matches) {
  const [best] = matches;
  const fitting = matches.filter(({ confidence }) => confidence >= FITS_TOO * best.confidence);
  return ambiguousOn.map((field) => {
    const held = Object.hasOwn(VALUES, field) ? fitting.map(VALUES[field]) : [];
    if (field === "printing") held.push(...(best?.printings ?? []).map(({ printing }) => printing));
    const values = [...new Set(held.filter(Boolean))];
    return values.length > 1 ? `${field}: ${values.join(" | ")}` : field;
  }).join("; ");
}

const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function textOf(value) {
  return Array.isArray(value) ? value.join("|") : String(value);
}

/** A cell; an apostrophe goes before what a spreadsheet would run as a formula. */
function cell(value) {
  const given = textOf(value ?? "");
  const text = FORMULA.test(given) && !NUMBER.test(given) ? `'${given}` : given;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
