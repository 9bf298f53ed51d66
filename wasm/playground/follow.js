// Which title is which after the text was edited.

let last = 0;

/**
 * An id for each of `titles`, in their order. A title has the id that it had in `before`, wherever it stands now; of equal ones the first has that of
 * the first. A single one that was edited where it stood keeps its id as well. The others have new ones.
 * @param {{ id: number, title: string }[]} before
 * @param {string[]} titles
 */
export function follow(before, titles) {
  const least = Math.min(before.length, titles.length);
  // an edit leaves most of a text as it is: only what lies between the first and the last line that differ can have moved
  let head = 0;
  while (head < least && before[head].title === titles[head]) head += 1;
  let tail = 0;
  while (tail < least - head && before.at(-1 - tail).title === titles.at(-1 - tail)) tail += 1;
  const left = before.slice(head, before.length - tail);
  const changed = titles.slice(head, titles.length - tail);
  const found = matched(left, changed);
  // who types alters one title at a time
  const edited = found.indexOf(undefined);
  if (edited >= 0 && left.length === changed.length && !found.includes(left[edited]) && !found.includes(undefined, edited + 1)) found[edited] = left[edited];
  const middle = found.map((item) => item?.id ?? (last += 1));
  return [...before.slice(0, head).map(({ id }) => id), ...middle, ...before.slice(before.length - tail).map(({ id }) => id)];
}

/** For each of `titles` the item of `items` that has this title, where there is one that no title before it has. */
function matched(items, titles) {
  const waiting = new Map();
  for (const item of [...items].reverse()) {
    const list = waiting.get(item.title);
    if (list) list.push(item);
    else waiting.set(item.title, [item]);
  }
  return titles.map((title) => waiting.get(title)?.pop());
}
