import { toUtf16 } from "../titledex/worker.js";
import { h } from "./dom.js";
import { fieldWord, groupOf, plain } from "./words.js";

/** A title whose readings are coloured in place; the text that it holds is the title's own, character for character. */
export function colouredTitle(answer, { labels = false } = {}) {
  const { title, parsed } = answer;
  const marks = [
    ...parsed.spans.map((span) => ({ span, group: groupOf(span.field), ...described(span, parsed) })),
    ...parsed.unread.map((span) => ({ span, group: "unread", label: "unread", hint: "unread" })),
  ];
  const ranges = toUtf16(title, marks.map(({ span }) => span));
  const placed = marks.map((mark, at) => ({ ...mark, ...ranges[at] })).sort((a, b) => a.start - b.start);
  const line = h("span", { class: labels ? "title labelled" : "title", dir: "auto", translate: "no" });
  let read = 0;
  for (const { start, end, group, label, hint } of placed) {
    if (start < read || end <= start) continue;
    line.append(title.slice(read, start));
    const text = title.slice(start, end);
    line.append(h("span", { class: `mark of-${group}`, title: labels ? undefined : hint, data: labels ? { label } : {} }, text));
    read = end;
  }
  line.append(title.slice(read));
  return line;
}

/** The label below a reading, and the hint over it: `name`, with the value where the title spells it otherwise. */
function described({ field, value, text }, { set }) {
  const of = field === "set" && value === set?.id ? set.name : field === "kind" ? plain(value) : value;
  const word = fieldWord(field);
  const same = of === "" || of.toLowerCase() === text.toLowerCase() || groupOf(field) === "passed";
  return { label: same || of.length > 24 ? word : `${word}: ${of}`, hint: of === "" ? word : `${word}: ${of}` };
}
