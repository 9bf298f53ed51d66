// What a page is told about a title: a few words, made here, so that nothing but text goes to it.
import { called, facts, fieldWord, gradeShort, headline, OUTCOMES, percent, settlers, signed, sureOf, verdict, whereOf } from "../ui/words.js";

const EVIDENCE = 5;
const OTHERS = 3;

/** The badge and its details. `tone` is `sure`, `unsure`, `several`, `missing` or `other`. */
export function mark(answer, { threshold, games = [] }) {
  const { outcome, matches, parsed } = answer;
  const first = matches[0];
  const grade = gradeShort(parsed.grade) ?? parsed.condition;
  const details = { verdict: verdict(answer), facts: facts(parsed).map(({ word, value }) => [word, value]), settle: [], cards: [], evidence: [] };
  for (const { field, values } of settlers(answer)) details.settle.push([fieldWord(field), values.join(", ")]);
  for (const match of matches.slice(0, OTHERS)) {
    details.cards.push({ name: called(match), more: whereOf(match, { several: games.length > 1, rarity: true }), share: match.confidence, sure: outcome.type === "match" ? "" : percent(match.confidence) });
  }
  for (const { field, weight, note } of first?.evidence.slice(0, EVIDENCE) ?? []) details.evidence.push([fieldWord(field), note, signed(weight)]);

  const words = [headline(answer)];
  /** What each word is: the name is shortened first. */
  const kinds = ["name"];
  let tone = "other";
  const sure = answer.error ? undefined : sureOf(answer);
  if (answer.error) tone = "other";
  else if (outcome.type === "match" && first) {
    tone = sure >= threshold ? "sure" : "unsure";
    words.push(first.setName);
    kinds.push("set");
  } else if (outcome.type === "ambiguous") {
    tone = "several";
    if (outcome.ambiguousOn?.length) {
      words.push(`which ${outcome.ambiguousOn.join(", ")}?`);
      kinds.push("set");
    }
  } else if (outcome.type === "not_in_catalogue") {
    tone = "missing";
    words.push("not in the catalogue");
    kinds.push("set");
  }
  if (grade && tone !== "other") {
    words.push(grade);
    kinds.push("grade");
  }
  return { tone, kinds, kind: outcome.type, label: OUTCOMES[outcome.type] ?? outcome.type, words, sure: sure === undefined ? "" : percent(sure), details };
}
