// Answers as TypeScript: the types must fit what is really written, `undefined` and surplus members included.
import { TitleDex } from "titledex";

const dex = await TitleDex.load({ catalogue: new URL(import.meta.resolve("titledex/catalogue/english-japanese.pack")) });
const titles = [
  "1999 Pokemon Base Set Shadowless Charizard #4 Holo PSA 9 MINT",
  "Umbreon VMAX 215/203 Evolving Skies Alt Art – Near Mint x2",
  "【PSA10】ブラッキーVMAX SA s6a 095/069 イーブイヒーローズ",
  "Charizard BGS 9.5 auto 10 cert 0012345678 swirl miscut jumbo staff stamp",
  "lot of 3: Pikachu 58/102, Squirtle 63/102, Bulbasaur 44/102",
  "Evolving Skies Booster Box Sealed",
  "Pikachu holo",
  "x".repeat(5000),
  "",
];
console.log('import type { Answer, CatalogueInfo } from "titledex";');
console.log(`export const answers: Answer[] = ${JSON.stringify(dex.parseBatch(titles))};`);
console.log(`export const info: CatalogueInfo = ${JSON.stringify(dex.catalogueInfo())};`);
