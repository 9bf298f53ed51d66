// The key by which the service files sales of a grade, of a grade as an answer has it.

/**
 * `GRADER_B_9_5`, or undefined where the service has no sales of such a grade: its company is not tracked, or the title states a company alone.
 *
 * The service decides (`grade_word` in server/src/market/listing/placing.rs); `fixtures/grades.jsonl` holds both to the same keys.
 */
export function gradeKey(grade) {
  const word = grade?.graderCode && wordOf(grade);
  return word ? `${grade.graderCode}_${word}` : undefined;
}

function wordOf({ grader, value, label = "", qualifier }) {
  if (qualifier) return "QUALIFIED";
  if (value === undefined) return label.startsWith("AUTHENTIC") ? "AUTH" : undefined;
  if (value === 10 && (label === "BLACK LABEL" || label.startsWith("PERFECT"))) return "PERFECT";
  // the label of a plain 10 of this company is Pristine
  if (value === 10 && (label.startsWith("PRISTINE") || grader === "BGS")) return "PRISTINE";
  return String(Math.max(value, 1)).replace(".", "_");
}
