import type { Span } from "./types.js";

/** A half-open range of a JavaScript string: `title.slice(start, end)`. */
export interface Range {
  start: number;
  end: number;
}

/**
 * Converts spans of a title, which count UTF-8 bytes as on every surface, into ranges of the JavaScript string, which counts UTF-16.
 *
 * ```js
 * const ranges = utf16Spans(answer);
 * answer.parsed.spans.map((span, at) => answer.title.slice(ranges[at].start, ranges[at].end)); // the texts of the spans
 * ```
 *
 * One pass over the title for all its spans.
 */
export function utf16Spans(answer: { title: string; parsed: { spans: readonly Span[] } }): Range[] {
  return toUtf16(answer.title, answer.parsed.spans);
}

/** As {@link utf16Spans}, for any spans of a title: `alternatives`, `unread`, or one alone in a list. */
export function toUtf16(title: string, spans: readonly Span[]): Range[] {
  const places = new Map<number, number>();
  for (const { start, end } of spans) places.set(start, 0).set(end, 0);
  let bytes = 0;
  let units = 0;
  places.set(0, 0);
  for (const character of title) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    units += character.length;
    if (places.has(bytes)) places.set(bytes, units);
  }
  return spans.map(({ start, end }) => ({ start: places.get(start) ?? 0, end: places.get(end) ?? units }));
}
