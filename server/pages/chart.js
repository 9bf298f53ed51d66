// Usage by day as bars.

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, LEFT, FOOT, HEAD] = [720, 196, 46, 30, 14];

function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** The last `count` UTC days up to `today`, oldest first. */
export function days(today, count) {
  const end = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: count }, (_, at) => new Date(end - (count - 1 - at) * 86_400_000).toISOString().slice(0, 10));
}

/** The least round number that is not below `most`. */
export function round(most) {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= most) ?? 10 * power;
}

/** Bars of `used`, a Map from day to credits. */
export function bars(dates, used) {
  const total = dates.reduce((sum, date) => sum + (used.get(date) ?? 0), 0);
  const top = round(Math.max(...dates.map((date) => used.get(date) ?? 0)));
  const svg = element("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "days", role: "img" });
  svg.append(element("title", {}, `${total.toLocaleString("en-GB")} credits from ${dates[0]} to ${dates.at(-1)}`));
  const [floor, room] = [HEIGHT - FOOT, HEIGHT - FOOT - HEAD];
  for (const part of [0, 0.5, 1]) {
    const y = floor - part * room;
    svg.append(element("line", { x1: LEFT, x2: WIDTH, y1: y, y2: y }));
    if (part * top === Math.round(part * top)) {
      const label = (part * top).toLocaleString("en-GB", { notation: top >= 10_000 ? "compact" : "standard" });
      svg.append(element("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, label));
    }
  }
  const step = (WIDTH - LEFT) / dates.length;
  dates.forEach((date, at) => {
    const credits = used.get(date) ?? 0;
    const height = credits ? Math.max((credits / top) * room, 2) : 1;
    const bar = element("rect", { x: LEFT + at * step + 2, y: floor - height, width: step - 4, height, class: credits ? "some" : "none" });
    bar.append(element("title", {}, `${date}: ${credits.toLocaleString("en-GB")}`));
    svg.append(bar);
    if (at % 7 === dates.length % 7 || at === dates.length - 1) {
      const last = at === dates.length - 1;
      if (last || dates.length - 1 - at >= 4) {
        const x = last ? WIDTH : LEFT + (at + 0.5) * step;
        svg.append(element("text", { x, y: HEIGHT - 6, "text-anchor": last ? "end" : "middle" }, date.slice(5)));
      }
    }
  });
  return svg;
}
