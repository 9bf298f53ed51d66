// Prices: what a page asks (asked.js), what the service's market pays for the card in that grade (market.js), and how far apart they are, in words.
// To the service goes the marketplace's id of the printing, with the user's key; the title never does.
import { gradeWords, shownMatch } from "../ui/words.js";
import { priceIn } from "./asked.js";
import { gradeKey } from "./grades.js";
import { marketOf, productOf, unlike } from "./market.js";
import { cardsOf } from "./service.js";

/** Prices whose difference is a smaller share than this count as the same. */
const SAME = 0.03;

function money({ amount, currency }) {
  return new Intl.NumberFormat("en-GB", { style: "currency", currency, maximumFractionDigits: amount >= 100 || currency === "JPY" ? 0 : 2, minimumFractionDigits: 0 }).format(amount);
}

/** `12% below the market price`; undefined for prices in two currencies. */
export function difference(asked, market) {
  if (asked.currency !== market.currency) return undefined;
  const share = asked.amount / market.amount - 1;
  if (Math.abs(share) < SAME) return "about the market price";
  if (share >= 1) return `${(share + 1).toFixed(1)} times the market price`;
  return `${Math.round(Math.abs(share) * 100)}% ${share < 0 ? "below" : "above"} the market price`;
}

/** What the details say of the price, as pairs of words; undefined where the user did not ask for prices or no card is named. */
export async function priceWords(answer, text, { prices, service, key }) {
  const match = shownMatch(answer);
  if (!prices || !service || !key || !match) return undefined;
  const { grade } = answer.parsed;
  const asked = priceIn(text);
  const rows = asked ? [["Asked", money(asked)]] : [];
  const { price, problem } = await market(match, grade, asked?.currency, service, key);
  rows.push([grade ? `Market (${gradeWords(grade)})` : "Market", price ? money(price) : problem]);
  const other = price && unlike(answer, match);
  if (other) rows.push(["Not compared", other]);
  else if (price && asked) rows.push(["So it is", difference(asked, price) ?? `in another currency than the market price (${price.currency})`]);
  return rows;
}

/** What the market pays for a printing, in this grade if there is one: `{ price }`, or `{ problem }`. What cannot be known is not asked for. */
async function market(match, grade, currency, service, key) {
  const sales = gradeKey(grade);
  if (grade && !sales) return { problem: "no sales in this grade are known" };
  const product = productOf(match);
  if (!product) return { problem: "no marketplace sells this printing under an id that we know" };
  const euros = currency === "EUR" && !grade;
  const asked = { marketplaceId: `${product.shop}:${product.id}`, ...(grade ? { includeAuction: "true", days: "90" } : {}), ...(euros ? { includeEur: "true" } : {}) };
  const { cards, problem } = await cardsOf(service, key, asked);
  return problem ? { problem } : marketOf(cards, match, { key: sales, currency });
}
