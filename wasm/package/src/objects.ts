// Made from the Rust types by wasm/tests/types.rs; `UPDATE=1 cargo test -p titledex-wasm` writes it again.

import { decimal, number, skip, text, truth, whole } from "./tape.js";
import type { Answer, Parsed, Kind, SetReading, PrintingReading, Finish, Grade, GraderCode, Condition, Reading, Field, Unread, Outcome, OutcomeType, Evidence, Conflict, Match, NameSource, PrintingMatch, MarketIds, TitleError } from "./types.js";

/** The next of the answers that were taken up. */
export function answer(): Answer {
  const there = number();
  const made = { title: text(), parsed: parsed(), outcome: outcome() } as Answer;
  if (there & 8) made.conflicts = conflictList();
  made.matches = matchList();
  if (there & 32) made.error = titleError();
  return made;
}

function parsed(): Parsed {
  const there = number();
  const made = { kind: KIND[number()] as Kind } as Parsed;
  if (there & 2) made.game = text();
  if (there & 4) made.name = text();
  if (there & 8) made.number = text();
  if (there & 16) made.total = text();
  if (there & 32) made.set = setReading();
  if (there & 64) made.year = whole();
  if (there & 128) made.language = text();
  if (there & 256) made.printing = printingReading();
  if (there & 512) made.rarity = text();
  if (there & 1024) made.grade = grade();
  if (there & 2048) made.condition = CONDITION[number()] as Condition;
  if (there & 4096) made.quantity = whole();
  made.spans = readingList();
  if (there & 16384) made.alternatives = readingList();
  made.unread = unreadList();
  if (there & 65536) made.gameInferred = truth();
  return made;
}

const KIND: readonly Kind[] = ["single", "lot", "sealed", "other"];

function setReading(): SetReading {
  const there = number();
  const made = { name: text(), id: text() } as SetReading;
  if (there & 4) made.alternatives = stringList();
  return made;
}

function stringList(): string[] {
  const made: string[] = [];
  for (let left = number(); left > 0; left--) made.push(text());
  return made;
}

function printingReading(): PrintingReading {
  const there = number();
  const made = {} as PrintingReading;
  if (there & 1) made.edition = text();
  if (there & 2) made.finish = FINISH[number()] as Finish;
  if (there & 4) made.pattern = text();
  if (there & 8) made.stamps = stringList();
  if (there & 16) made.treatment = stringList();
  if (there & 32) made.errors = stringList();
  if (there & 64) made.size = text();
  return made;
}

const FINISH: readonly Finish[] = ["holo", "reverse holo", "non-holo", "foil", "non-foil"];

function grade(): Grade {
  const there = number();
  const made = { grader: text() } as Grade;
  if (there & 2) made.graderCode = GRADER_CODE[number()] as GraderCode;
  if (there & 4) made.value = decimal();
  if (there & 8) made.label = text();
  if (there & 16) made.qualifier = text();
  if (there & 32) made.certNumber = text();
  if (there & 64) made.autograph = decimal();
  return made;
}

const GRADER_CODE: readonly GraderCode[] = ["GRADER_A", "GRADER_B", "GRADER_C", "GRADER_D"];

const CONDITION: readonly Condition[] = ["M", "NM", "EX", "LP", "GD", "PL", "MP", "HP", "PO", "DMG"];

function reading(): Reading {
  return { field: FIELD[number()] as Field, value: text(), start: whole(), end: whole(), text: text(), confidence: decimal() };
}

const FIELD: readonly Field[] = ["name", "number", "set", "year", "language", "edition", "finish", "pattern", "stamp", "treatment", "error", "size", "rarity", "grader", "grade", "label", "qualifier", "certNumber", "autograph", "condition", "quantity", "kind", "game", "hp", "level", "dexNumber", "illustrator", "origin", "population", "wish", "noise", "total", "printing", "product"];

function readingList(): Reading[] {
  const made: Reading[] = [];
  for (let left = number(); left > 0; left--) made.push(reading());
  return made;
}

function unread(): Unread {
  return { start: whole(), end: whole(), text: text() };
}

function unreadList(): Unread[] {
  const made: Unread[] = [];
  for (let left = number(); left > 0; left--) made.push(unread());
  return made;
}

function outcome(): Outcome {
  const there = number();
  const made = { type: OUTCOME_TYPE[number()] as OutcomeType, confidence: decimal() } as Outcome;
  if (there & 4) made.ambiguousOn = fieldList();
  made.notInCatalogue = decimal();
  if (there & 16) made.evidence = evidenceList();
  return made;
}

const OUTCOME_TYPE: readonly OutcomeType[] = ["match", "ambiguous", "not_in_catalogue", "lot", "sealed", "other_game", "not_a_card"];

function fieldList(): Field[] {
  const made: Field[] = [];
  for (let left = number(); left > 0; left--) made.push(FIELD[number()] as Field);
  return made;
}

function evidence(): Evidence {
  skip();
  return { field: FIELD[number()] as Field, weight: decimal(), note: text() };
}

function evidenceList(): Evidence[] {
  const made: Evidence[] = [];
  for (let left = number(); left > 0; left--) made.push(evidence());
  return made;
}

function conflict(): Conflict {
  skip();
  return { field: FIELD[number()] as Field, stated: text(), held: text() };
}

function conflictList(): Conflict[] {
  const made: Conflict[] = [];
  for (let left = number(); left > 0; left--) made.push(conflict());
  return made;
}

function match(): Match {
  const there = number();
  const made = { cardId: text(), name: text() } as Match;
  if (there & 4) made.nameSource = NAME_SOURCE[number()] as NameSource;
  if (there & 8) made.printedName = text();
  made.setName = text();
  made.setId = text();
  made.cardNumber = text();
  if (there & 128) made.rarity = text();
  made.language = text();
  made.confidence = decimal();
  made.marketplaceId = text();
  if (there & 2048) made.printing = text();
  if (there & 4096) made.printings = printingMatchList();
  made.evidence = evidenceList();
  if (there & 16384) made.ids = marketIds();
  made.game = text();
  return made;
}

const NAME_SOURCE: readonly NameSource[] = ["derived", "unsure"];

function printingMatch(): PrintingMatch {
  skip();
  return { marketplaceId: text(), printing: text(), confidence: decimal() };
}

function printingMatchList(): PrintingMatch[] {
  const made: PrintingMatch[] = [];
  for (let left = number(); left > 0; left--) made.push(printingMatch());
  return made;
}

function marketIds(): MarketIds {
  const there = number();
  const made = {} as MarketIds;
  if (there & 1) made.tcgplayer = whole();
  if (there & 2) made.cardmarket = whole();
  return made;
}

function matchList(): Match[] {
  const made: Match[] = [];
  for (let left = number(); left > 0; left--) made.push(match());
  return made;
}

function titleError(): TitleError {
  skip();
  return { code: text(), message: text() };
}
