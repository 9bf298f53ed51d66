// Answers as text: JSON as the library gives it, CSV as `titledex parse --format csv` writes it.

export const COLUMNS = [
  "title kind game name number total set setId year language edition finish pattern stamps treatment errors size rarity grader graderCode grade gradeLabel qualifier",
  "certNumber autograph condition quantity unread outcome outcomeConfidence ambiguousOn notInCatalogue cardId marketplaceId cardName cardSet cardSetId cardNumber",
  "cardRarity cardLanguage printing cardConfidence otherCards error errorMessage",
].flatMap((line) => line.split(" "));

export function toJson(answers) {
  return `[\n${answers.map((answer) => JSON.stringify(answer)).join(",\n")}\n]\n`;
}

export function toCsv(answers) {
  return [COLUMNS, ...answers.map(row)].map((cells) => `${cells.map(cell).join(",")}\n`).join("");
}

function row({ title, parsed, outcome, matches, error }) {
  const { set, printing = {}, grade = {} } = parsed;
  const [first, ...others] = matches;
  return [
    title, parsed.kind, parsed.game, parsed.name, parsed.number, parsed.total, set?.name, set?.id, parsed.year, parsed.language,
    printing.edition, printing.finish, printing.pattern, printing.stamps, printing.treatment, printing.errors, printing.size, parsed.rarity,
    grade.grader, grade.graderCode, grade.value, grade.label, grade.qualifier, grade.certNumber, grade.autograph, parsed.condition, parsed.quantity,
    parsed.unread.map(({ text }) => text), outcome.type, outcome.confidence, outcome.ambiguousOn, outcome.notInCatalogue,
    first?.cardId, first?.marketplaceId, first?.name, first?.setName, first?.setId, first?.cardNumber, first?.rarity, first?.language, first?.printing, first?.confidence,
    others.map(({ cardId }) => cardId), error?.code, error?.message,
  ];
}

function cell(value) {
  const text = Array.isArray(value) ? value.join("|") : String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
