// What an answer means, in words. Nothing here touches a document: the extension's background uses it too.

/** Kinds of attributes that share a colour, in the order of the legend. */
export const GROUPS = {
  name: "Name",
  number: "Number",
  set: "Set and year",
  language: "Language",
  printing: "Printing",
  rarity: "Rarity",
  grade: "Grade",
  condition: "Condition",
  fact: "Other facts",
  passed: "Ignored",
  unread: "Unread",
};

const GROUP_OF = {
  name: "name",
  number: "number",
  dexNumber: "number",
  set: "set",
  year: "set",
  origin: "set",
  language: "language",
  edition: "printing",
  finish: "printing",
  pattern: "printing",
  stamp: "printing",
  treatment: "printing",
  error: "printing",
  size: "printing",
  rarity: "rarity",
  grader: "grade",
  grade: "grade",
  label: "grade",
  qualifier: "grade",
  certNumber: "grade",
  autograph: "grade",
  population: "grade",
  condition: "condition",
  wish: "passed",
  noise: "passed",
};

const FIELD_WORDS = { certNumber: "certificate", dexNumber: "Pokédex number", hp: "HP", origin: "made for", wish: "wish", noise: "ignored" };

export const OUTCOMES = {
  match: "Match",
  ambiguous: "Ambiguous",
  not_in_catalogue: "Not in the catalogue",
  lot: "Lot",
  sealed: "Sealed product",
  other_game: "Another game",
  not_a_card: "Not a card",
};

/** The colour group of a field. */
export function groupOf(field) {
  return Object.hasOwn(GROUP_OF, field) ? GROUP_OF[field] : "fact";
}

/** A field for people. */
export function fieldWord(field) {
  return Object.hasOwn(FIELD_WORDS, field) ? FIELD_WORDS[field] : field;
}

/** `98.2%`. Nothing is certain: never 0% or 100%. */
export function percent(probability) {
  const value = probability * 100;
  if (value >= 99.95) return ">99.9%";
  if (value < 0.05) return "<0.1%";
  return `${value.toFixed(1)}%`;
}

/** How sure an answer is, as one figure: that its type is right and, of a match, that the card is. */
export function sureOf({ outcome, matches }) {
  return outcome.type === "match" && matches[0] ? Math.min(outcome.confidence, matches[0].confidence) : outcome.confidence;
}

/** The card that an answer names: that of a match. */
export function shownMatch({ outcome, matches }) {
  return outcome.type === "match" ? matches[0] : undefined;
}

/** `+6.96`, `−1.20`: a true minus is as wide as the plus. */
export function signed(weight) {
  return `${weight < 0 ? "−" : "+"}${Math.abs(weight).toFixed(2)}`;
}

/** `Umbreon VMAX 095/069`. */
export function called(match) {
  return match.cardNumber ? `${match.name} ${match.cardNumber}` : match.name;
}

/** A word or list for people: `set`, `set and number`. */
export function listed(words) {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** `PSA 10 GEM MT (OC)`, or undefined where the title states none. */
export function gradeWords(grade) {
  if (!grade) return undefined;
  const words = [grade.grader, grade.value, grade.label, grade.qualifier && `(${grade.qualifier})`];
  return words.filter((word) => word !== undefined && word !== "").join(" ");
}

/** `PSA 10`, or undefined where the title states none. */
export function gradeShort(grade) {
  return grade && [grade.grader, grade.value ?? grade.label, grade.qualifier].filter((word) => word !== undefined && word !== "").join(" ");
}

const GAMES = { pokemon: "Pokémon", magic: "Magic", yugioh: "Yu-Gi-Oh!", onepiece: "One Piece", lorcana: "Lorcana", digimon: "Digimon", dragonball: "Dragon Ball" };

/** A game for people. */
export function gameWord(game) {
  return Object.hasOwn(GAMES, game) ? GAMES[game] : capital(game);
}

/** Where a card is found: its set, language, rarity if asked for, and game if several are read. Sources write `None` where a card has no rarity. */
export function whereOf(match, { several = false, rarity = false } = {}) {
  const game = match.game && (several || match.game !== "pokemon") && gameWord(match.game);
  return [match.setName, rarity && match.rarity !== "None" && match.rarity, capital(match.language), game].filter(Boolean).join(" · ");
}

/** One line on what a title is; for a match, which card. */
export function headline(answer) {
  const { outcome, matches, parsed } = answer;
  if (answer.error) return "Not read";
  if (outcome.type === "match" && matches[0]) return called(matches[0]);
  if (outcome.type === "ambiguous") {
    const names = new Set(matches.map((match) => match.name));
    return names.size === 1 ? `${matches[0].name}, several cards` : "Several cards";
  }
  if (outcome.type === "not_in_catalogue" && parsed.name) return [parsed.name, numberOf(parsed)].filter(Boolean).join(" ");
  return Object.hasOwn(OUTCOMES, outcome.type) ? OUTCOMES[outcome.type] : plain(outcome.type);
}

/** The number that a title states: `4/102`. */
function numberOf({ number, total }) {
  return number && (total ? `${number}/${total}` : number);
}

const VALUE_OF = {
  set: (match) => match.setName,
  language: (match) => capital(match.language),
  number: (match) => match.cardNumber,
  name: (match) => match.name,
  printing: (match) => match.printing,
  rarity: (match) => match.rarity,
};

/** For an ambiguous answer: each attribute that would settle it, with the values that the cards have. */
export function settlers(answer) {
  return (answer.outcome.ambiguousOn ?? []).map((field) => {
    const read = Object.hasOwn(VALUE_OF, field) ? VALUE_OF[field] : () => undefined;
    const values = [...new Set(answer.matches.map(read).filter(Boolean))];
    return { field, values };
  });
}

/** A sentence on how sure the answer is and what it means. */
export function verdict(answer) {
  const { outcome, matches, error } = answer;
  if (error) return error.message;
  const missing = percent(outcome.notInCatalogue);
  switch (outcome.type) {
    case "match":
      return `One card stands out. The chance that the catalogue lacks it is ${missing}.`;
    case "ambiguous": {
      const by = outcome.ambiguousOn ?? [];
      const settled = by.length > 0 ? ` The ${listed(by)} would settle it.` : "";
      return `The title fits several cards.${settled}`;
    }
    case "not_in_catalogue":
      return `One card, which the catalogue lacks.${matches.length > 0 ? " The nearest are below." : ""}`;
    case "lot":
      return "Several cards are sold together.";
    case "sealed":
      return "A sealed product.";
    case "other_game":
      return "A card or a product of another game or sport.";
    case "not_a_card":
      return "Something other than a trading card.";
    default:
      return `${outcome.type}.`;
  }
}

/** `premium_collection` as people write it. */
export function plain(identifier) {
  return identifier.replaceAll("_", " ");
}

/** A word with a capital. */
export function capital(word) {
  return word && word[0].toUpperCase() + word.slice(1);
}

/** What the title states, as pairs of a word and a value. */
export function facts(parsed) {
  const printing = parsed.printing ?? {};
  const number = numberOf(parsed);
  const made = [printing.edition, printing.finish, printing.pattern, printing.stamps, printing.treatment, printing.errors, printing.size].flat().filter(Boolean);
  const pairs = [
    ["name", "Name", parsed.name],
    ["number", "Number", number ?? (parsed.total && `of ${parsed.total}`)],
    ["set", "Set", parsed.set?.name],
    ["set", "Year", parsed.year],
    ["language", "Language", capital(parsed.language)],
    ["printing", "Printing", made.join(", ")],
    ["rarity", "Rarity", parsed.rarity],
    ["grade", "Grade", gradeWords(parsed.grade)],
    ["grade", "Certificate", parsed.grade?.certNumber],
    ["condition", "Condition", parsed.condition],
    ["fact", "Quantity", parsed.quantity],
    ["fact", "Kind", parsed.kind === "single" ? undefined : parsed.kind],
    ["fact", "Game", parsed.game === "pokemon" ? undefined : gameWord(parsed.game)],
  ];
  return pairs.filter(([, , value]) => value !== undefined && value !== "").map(([group, word, value]) => ({ group, word, value: word === "Kind" ? plain(String(value)) : String(value) }));
}
