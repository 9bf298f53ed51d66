// The price that a page asks, read from the page's own words for it.

/** Digits in groups of three, or in one; behind a mark one or two more, or the dashes that stand for none (`12.-`). Read whole or not at all. */
const AMOUNT = String.raw`(?<amount>(?:\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+|\d+)(?:[.,]\d{1,2})?|[.,]\d{1,2})(?![.,]?\d)(?:[.,][-–—]{1,2})?`;
/** Where an amount begins that its sign follows. */
const BEGIN = String.raw`(?<!\d|\d[.,'’])`;

/** A code or a word that is no part of a longer one; digits may touch it. */
function word(words) {
  return `(?<![A-Za-z])(?:${words})(?![A-Za-z])`;
}

/** A sign before an amount, in brackets or not, and one behind it, where some signs are written in another way. */
function beside(sign, behind = sign) {
  return [`(?:${sign})[\\s:)）]*${AMOUNT}`, `${BEGIN}${AMOUNT}\\s*(?:${behind}|[(（](?:${sign})[)）])`];
}

/** A sign that is written before amounts as a rule: in `PSA 10 $45` it does not belong to the 10. */
function leading(sign) {
  return `${sign}(?!\\d)`;
}

/** Dollars of a country: `before` are the ways to write its `$`, `code` is its code, and `short` the same or a shorter one, which needs a `$`. */
function dollars(before, code, short) {
  // `$25 CA$34` are two prices
  const alone = "(?!\\s?\\$)";
  const named = `\\$ ?${word(short)}`;
  return [...beside(`(?<![A-Za-z])(?:${before}|${named})`, leading(named)), `\\$\\s*${AMOUNT}\\s*${word(short)}${alone}`, ...beside(word(code), word(code) + alone)];
}

const YEN = word("[Jj][Pp][Yy]|[Yy][Ee][Nn]");
/**
 * How prices are written in each currency. Of two that begin at the same place the one above wins: `$45 CAD` is not in US dollars.
 *
 * `CA $45` is in Canadian dollars, but behind a city CA is California; other dollars (`HK $`, `R$`) are none of these.
 */
const CURRENCIES = [
  ["EUR", beside(`€|${word("EUR")}`)],
  ["GBP", beside(`£|${word("GBP")}`, `${leading("£")}|${word("GBP")}`)],
  ["JPY", beside(`[¥￥円]|${YEN}`, `${leading("[¥￥]")}|円|${YEN}`)],
  ["CHF", beside(word("CHF"))],
  ["CAD", dollars(String.raw`C ?\$|CAD ?\$|CA\$|(?<![A-Za-z\d.,]\s*)CA \$`, "CAD", "CAD?")],
  ["AUD", dollars(String.raw`AU? ?\$|AUD ?\$`, "AUD", "AUD?")],
  ["USD", [...dollars(String.raw`USD? ?\$`, "USD", "USD?"), ...beside(String.raw`(?<!\b(?:(?:HK|MX|NT|NZ) ?|[RS]))\$`, leading(String.raw`\$`))]],
].map(([currency, forms]) => [currency, forms.map((form) => new RegExp(form, "u"))]);

/** The first price in a text (`US $1,200.00`, `1.250,00 €`, `¥38,000`) as `{ amount, currency }`, or undefined if it has none. */
export function priceIn(text) {
  let first;
  for (const [currency, forms] of CURRENCIES) {
    for (const form of forms) {
      const found = form.exec(text);
      if (found && (!first || found.index < first.at)) first = { at: found.index, currency, amount: valueOf(found.groups.amount) };
    }
  }
  return first?.amount > 0 ? { amount: first.amount, currency: first.currency } : undefined;
}

/** The last mark is a decimal one where one or two digits follow it. */
function valueOf(digits) {
  const decimals = /[.,](\d{1,2})$/.exec(digits);
  const whole = digits.slice(0, decimals?.index).replace(/\D/g, "");
  return Number(`${whole}.${decimals?.[1] ?? "0"}`);
}
