// What the service would answer to dashboard and review, the same every day: their pictures show nothing of a clock.

const TODAY = "2026-11-20";
const day = (before) => new Date(Date.parse(TODAY) - before * 86_400_000).toISOString().slice(0, 10);
const moment = (before) => `${day(before)}T09:30:00Z`;
const ENDPOINTS = ["/api/v2/parse-title", "/api/v2/cards", "/api/v2/population"];

export const dashboard = {
  "/api/v2/account": {
    data: {
      id: 7,
      name: "Card shop",
      keyId: 1,
      plan: { name: "api", keys: 5, historyDays: 365 },
      daily: { limit: 20_000, remaining: 13_480, resetAt: `${day(-1)}T00:00:00Z` },
      minute: { limit: 60, remaining: 57, resetAt: `${TODAY}T09:31:00Z` },
    },
  },
  "/api/v2/account/usage": {
    data: Array.from({ length: 30 }, (_, at) => ({ date: day(29 - at), version: "v2", creditsUsed: 1_200 + ((at * 1_733) % 5_600), creditsReserved: 0 })),
  },
  "/api/v2/account/usage/endpoints": {
    data: ENDPOINTS.map((endpoint, at) => ({ date: TODAY, endpoint, calls: [41_250, 9_310, 120][at], creditsUsed: [88_400, 18_200, 240][at] })),
  },
  "/api/v2/account/keys": {
    data: [
      { id: 1, name: "price bot", prefix: "td_live_8fK2mQ9xWz", createdAt: moment(120), revokedAt: null, expiresAt: null },
      { id: 2, name: "spreadsheet", prefix: "td_live_1bT7nR4yVc", createdAt: moment(14), revokedAt: null, expiresAt: null },
    ],
  },
};

const candidate = (marketplaceId, name, cardNumber, setName, confidence) => ({ marketplaceId, name, cardNumber, setName, confidence, image: null });
const listing = (id, title, price, reason, grade, candidates) => ({
  id, title, price, currency: "USD", date: day(id), url: null, reason, marketplaceId: candidates[0]?.marketplaceId ?? null, grade, confidence: candidates[0]?.confidence ?? null, candidates,
  status: "open", createdAt: moment(id), decidedAt: null, change: null,
});
const TITLE = "Charizard holo Base Set PSA 9 graded slab";
const span = (text, field, value) => ({ field, value, start: TITLE.indexOf(text), end: TITLE.indexOf(text) + text.length, text, confidence: 1 });
const LISTINGS = [
  listing(1, TITLE, 1_450, "ambiguous", "GRADER_A_9", [
    candidate("base1-4:unlimited-holofoil", "Charizard", "4/102", "Base Set", 0.71),
    candidate("base4-4:holofoil", "Charizard", "4/130", "Base Set 2", 0.18),
    candidate("cel25c-4_A:holofoil", "Charizard", "4/102", "Celebrations: Classic Collection", 0.06),
  ]),
  listing(2, "Umbreon VMAX alt art moonbreon near mint", 890, "low_confidence", null, [
    candidate("swsh7-215:holofoil", "Umbreon VMAX", "215/203", "Evolving Skies", 0.93),
    candidate("swsh7-95:holofoil", "Umbreon VMAX", "095/203", "Evolving Skies", 0.04),
  ]),
  listing(3, "Evolving Skies booster box sealed", 540, "sealed", null, []),
  listing(4, "Vintage holo bundle, 12 cards, see pictures", 75, "lot", null, []),
];

export const review = {
  "/api/admin/review": { data: LISTINGS, total: LISTINGS.length, snapshot: { count: LISTINGS.length, id: "0123456789abcdef" } },
  "/api/admin/review/1/reading": {
    data: {
      parsed: { spans: [span("Charizard", "name", "Charizard"), span("holo", "finish", "Holofoil"), span("Base Set", "set", "base1"), span("PSA 9", "grade", "9")] },
      matches: [{
        marketplaceId: "base1-4:unlimited-holofoil",
        evidence: [
          { field: "set", weight: 3.68, note: "the set agrees" },
          { field: "name", weight: 3.64, note: "the name agrees" },
          { field: "finish", weight: 0.21, note: "the card exists as a holofoil" },
          { field: "number", weight: -0.34, note: "the title states no number" },
        ],
      }],
    },
  },
};
