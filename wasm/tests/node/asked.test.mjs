// How the extension reads the price that a page asks. Run by .ci/run and scripts/browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { priceIn } from "../../extension/src/background/asked.js";

/** Texts, amounts and currencies, by what they try. */
const ROWS = {
  "a sign before or behind its amount": [
    ["US $1,200.00", 1200, "USD"],
    ["$ 12", 12, "USD"],
    ["€ 900", 900, "EUR"],
    ["12 €", 12, "EUR"],
    ["12,50€", 12.5, "EUR"],
    ["£12.50 to £20.00", 12.5, "GBP"],
    ["¥38,000", 38000, "JPY"],
    ["¥12,800", 12800, "JPY"],
    ["税込￥12,800", 12800, "JPY"],
    ["¥\n      45,000", 45000, "JPY"],
    ["38,000 ¥", 38000, "JPY"],
    ["98,000円", 98000, "JPY"],
    ["98,000円12件", 98000, "JPY"],
  ],
  "codes and words": [
    ["EUR 12,50", 12.5, "EUR"],
    ["12,50 EUR", 12.5, "EUR"],
    ["USD25.00", 25, "USD"],
    ["USD: 25.00", 25, "USD"],
    ["12.50 (USD)", 12.5, "USD"],
    ["価格（円）38,000", 38000, "JPY"],
    ["98,000 YEN", 98000, "JPY"],
    ["12,800 yen", 12800, "JPY"],
    ["GBP 12", 12, "GBP"],
    ["CHF 12.-", 12, "CHF"],
    ["CHF 1'200.00", 1200, "CHF"],
  ],
  "groups and decimals": [
    ["1.250,00 €", 1250, "EUR"],
    ["1.234,56 €", 1234.56, "EUR"],
    ["1.250 € VB", 1250, "EUR"],
    ["1 200,50 €", 1200.5, "EUR"],
    ["1\u202f200,50\u00a0€", 1200.5, "EUR"],
    ["EUR 1 200,50", 1200.5, "EUR"],
    ["$12,345,678.90", 12345678.9, "USD"],
    ["$.99", 0.99, "USD"],
    ["12,- €", 12, "EUR"],
    ["€ 12,-", 12, "EUR"],
    ["$12.", 12, "USD"],
    ["$45.00 200 sold", 45, "USD"],
  ],
  "dollars of other countries": [
    ["C $45.5", 45.5, "CAD"],
    ["C $45.00", 45, "CAD"],
    ["CA $45", 45, "CAD"],
    ["CA$45", 45, "CAD"],
    ["Price: CA $45", 45, "CAD"],
    ["CAD $45", 45, "CAD"],
    ["$45 CAD", 45, "CAD"],
    ["45 CAD", 45, "CAD"],
    ["45,00 $ CA", 45, "CAD"],
    ["45,00 $US", 45, "USD"],
    ["AU $12.50", 12.5, "AUD"],
    ["A $45", 45, "AUD"],
    ["A$12.50", 12.5, "AUD"],
    ["$12.50 AUD", 12.5, "AUD"],
    ["HK $100 (approx. US $12.80)", 12.8, "USD"],
    ["R$ 45"],
    ["NZ$12"],
  ],
  "the first price of several": [
    ["US $25.00 (approx. £19.80)", 25, "USD"],
    ["was $30 now €25", 30, "USD"],
    ["25 € 20 £", 25, "EUR"],
    ["30 USD 25 EUR", 30, "USD"],
    ["$25.00 CA$34.00", 25, "USD"],
    ["12,50 €3,99 € Versand", 12.5, "EUR"],
    ["Buy It Now$12.00to$15.00", 12, "USD"],
  ],
  "other numbers and letters": [
    ["2 for $10.00", 10, "USD"],
    ["PSA 10 $45", 45, "USD"],
    ["2 £10", 10, "GBP"],
    ["30 (€25)", 25, "EUR"],
    ["Los Angeles, CA $120", 120, "USD"],
    ["Los Angeles CA $120", 120, "USD"],
    ["Los Angeles, CA 120"],
  ],
  "no price": [[""], ["Free"], ["1,200"], ["$"], ["$0.00"], ["3万円"], ["Zu verschenken"]],
};

for (const [what, rows] of Object.entries(ROWS)) {
  test(`prices: ${what}`, () => {
    for (const [text, amount, currency] of rows) assert.deepEqual(priceIn(text), amount === undefined ? undefined : { amount, currency }, text);
  });
}
