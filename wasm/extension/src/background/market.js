// What the cards of a service's answer say a printing costs, and when that is the price of something else. An answer may hold anything.

/** The product by which the service is asked for a printing: a marketplace's number, never our id, which a title could be guessed from. */
export function productOf({ ids = {} }) {
  if (ids.tcgplayer) return { shop: "tcgplayer", id: ids.tcgplayer };
  return ids.cardmarket ? { shop: "cardmarket", id: ids.cardmarket } : undefined;
}

const UNKNOWN = "no price is known";
const SEVERAL = "its product is several printings, and the price of this one alone is not known";

/**
 * The price of the printing that `match` names, among the cards that a service answered for its product: `{ price: { amount, currency } }`, or
 * `{ problem }` in words. `key` is that of a graded card's sales; raw cards are in USD, or in EUR if that is the `currency` that is asked.
 */
export function marketOf(cards, match, { key, currency } = {}) {
  const { card, printing, others } = printingOf(cards, match);
  if (!printing) return { problem: others ? SEVERAL : UNKNOWN };
  if ((card.prices?.currency ?? "USD") !== "USD") return { problem: UNKNOWN };
  // sales and euros are those of one printing, which the card itself names
  const isShown = card.marketplaceId === printing.marketplaceId && card.printing === printing.printing;
  if (key) {
    if (!isShown) return { problem: SEVERAL };
    return priceOf(member(card.auction, key)?.smartMarketPrice, "USD") ?? { problem: "no sales in this grade are known" };
  }
  const euros = isShown && currency === "EUR" ? priceOf(card.prices?.eur?.market, "EUR") : undefined;
  return euros ?? priceOf(printing.market, "USD") ?? { problem: UNKNOWN };
}

/**
 * The printing that a match names, with its card. A product may be several printings, which a service that shows products as ids
 * (`marketplace-id`) calls alike: then the label tells them apart, and the card where several have such a printing. `others`: the product has
 * printings of which none is surely this one.
 */
function printingOf(cards, match) {
  const { shop, id } = productOf(match) ?? {};
  const all = cards.flatMap((card) => records(card.printings).map((printing) => ({ card, printing })));
  const own = all.find(({ printing }) => printing.marketplaceId === match.marketplaceId);
  if (own) return own;
  const ofProduct = all.filter(({ printing }) => shop && printing.ids?.[shop] === id);
  const alike = ofProduct.filter(({ printing }) => printing.printing === (match.printing ?? ""));
  const same = alike.length > 1 ? alike.filter(({ card }) => card.cardId === match.cardId) : alike;
  return same.length === 1 ? same[0] : { others: ofProduct.length > 0 };
}

/** The objects of a list, none of what is no list. */
export function records(list) {
  return Array.isArray(list) ? list.filter((one) => typeof one === "object" && one !== null) : [];
}

function member(object, name) {
  return typeof object === "object" && object !== null && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** A price above zero: a number, or a text with one. */
function priceOf(value, currency) {
  const amount = typeof value === "number" || (typeof value === "string" && /^\d+(\.\d+)?$/.test(value)) ? Number(value) : 0;
  return amount > 0 && Number.isFinite(amount) ? { price: { amount, currency } } : undefined;
}

/** Conditions of raw cards that market prices are of. */
const UNWORN = ["M", "NM"];

/** What the market price is of, where the title sells something else that would cost more or less; undefined where both are the same. */
export function unlike({ parsed }, match) {
  const { quantity = 1, language, grade, condition, spans } = parsed;
  const says = (wanted, value) => spans.some((span) => wanted.includes(span.field) && (value === undefined || span.value === value));
  const isOther = says(["autograph", "error", "stamp"]) || says(["treatment"], "signed");
  const isKnown = match.evidence.some(({ field, weight }) => field === "stamp" && weight > 0);
  if (quantity > 1) return "the market price is of one card";
  if (language && language !== match.language) return "the market price is of the card in another language";
  if (isOther && !isKnown) return "the market price is of the card without a signature, an error or a stamp";
  if (grade?.qualifier) return "the market price is of all cards with a qualifier, whatever their number";
  if (!grade && ((condition && !UNWORN.includes(condition)) || says(["noise"], "flaw"))) return "the market price is of a card in Near Mint";
  return undefined;
}
