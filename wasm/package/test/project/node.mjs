import { TitleDex } from "titledex";
import { fileURLToPath } from "node:url";

const dex = await TitleDex.load({ catalogue: new URL(import.meta.resolve("titledex/catalogue/english.pack")) });
const { outcome, matches } = dex.parse("1999 Pokemon Base Set Shadowless Charizard #4 Holo PSA 9 MINT");
if (outcome.type !== "match" || matches[0].cardId !== "base1-4") throw new Error(JSON.stringify(outcome));
dex.free();
// by path as well as by address
const other = await TitleDex.load({ catalogue: fileURLToPath(import.meta.resolve("titledex/catalogue/english-japanese.pack")) });
if (other.parse("【PSA10】ブラッキーVMAX SA s6a 095/069 イーブイヒーローズ").matches[0].cardId !== "asia:S6a-095") throw new Error("another card");
