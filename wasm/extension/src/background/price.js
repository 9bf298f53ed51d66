// Prices: what a page asks (asked.js), what the service's market pays for the card in that grade, and how far apart they are, in words.
// To the service goes the marketplace's id of the printing, with the user's key; the title never does.
import { gradeWords } from "../ui/words.js";
import { priceIn } from "./asked.js";
import { gradeKey } from "./grades.js";

/** Prices whose difference is a smaller share than this count as the same. */
const SAME = 0.03;

export function money({ amount, currency }) {
  return new Intl.NumberFormat("en-GB", { style: "currency", currency, maximumFractionDigits: amount >= 100 || currency === "JPY" ? 0 : 2, minimumFractionDigits: 0 }).format(amount);
}

/** `12% below the market price`. */
export function difference(asked, market) {
  if (!asked || !market || asked.currency !== market.currency || market.amount <= 0) return undefined;
  const share = asked.amount / market.amount - 1;
  if (Math.abs(share) < SAME) return "about the market price";
  if (share >= 1) return `${(share + 1).toFixed(1)} times the market price`;
  return `${Math.round(Math.abs(share) * 100)}% ${share < 0 ? "below" : "above"} the market price`;
}

/** The id by which the service finds a printing: a marketplace's, never ours, which a title could be guessed from. */
export function productOf({ ids = {} }) {
  if (ids.tcgplayer) return `tcgplayer:${ids.tcgplayer}`;
  return ids.cardmarket ? `cardmarket:${ids.cardmarket}` : undefined;
}

/** The market price of a card as the service has it, of its grade where the title states one, and in which currency. */
export function marketOf(card, grade, currency) {
  if (grade) {
    const sales = card.auction?.[gradeKey(grade)];
    return sales ? { amount: Number(sales.smartMarketPrice), currency: "USD" } : undefined;
  }
  if (currency === "EUR" && card.prices.eur?.market) return { amount: Number(card.prices.eur.market), currency: "EUR" };
  return card.prices.market ? { amount: Number(card.prices.market), currency: "USD" } : undefined;
}

/** What the details say of the price, as pairs of words; undefined where the user did not ask for prices or no card is named. */
export async function priceWords(answer, text, { prices, service, key }) {
  const match = answer.outcome.type === "match" ? answer.matches[0] : undefined;
  if (!prices || !service || !key || !match) return undefined;
  const asked = priceIn(text ?? "");
  const grade = answer.parsed.grade;
  const rows = asked ? [["Asked", money(asked)]] : [];
  const product = productOf(match);
  if (!product) return [...rows, ["Market", "no marketplace sells this printing under an id that we know"]];
  const address = new URL("/api/v2/cards", service);
  address.search = new URLSearchParams({ marketplaceId: product, ...(grade ? { includeAuction: "true", days: "90" } : {}), ...(asked?.currency === "EUR" && !grade ? { includeEur: "true" } : {}) });
  const response = await fetch(address, { headers: { Authorization: `Bearer ${key}` }, credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store" }).catch(() => undefined);
  if (!response) return [...rows, ["Market", "the service does not answer"]];
  if (!response.ok) return [...rows, ["Market", `the service refuses: ${(await response.json().catch(() => ({}))).error?.message ?? `status ${response.status}`}`]];
  const { data } = await response.json();
  // a product may be several printings: the one that was read, else the first
  const card = data.find(({ marketplaceId }) => marketplaceId === match.marketplaceId) ?? data[0];
  const market = card && marketOf(card, grade, asked?.currency);
  const of = grade ? ` (${gradeWords(grade)})` : "";
  if (!market) return [...rows, [`Market${of}`, grade ? "no sales in this grade are known" : "no price is known"]];
  rows.push([`Market${of}`, money(market)]);
  const words = difference(asked, market);
  if (words) rows.push(["So it is", words]);
  else if (asked) rows.push(["So it is", `in another currency than the market price (${market.currency})`]);
  return rows;
}
