/** Made-up titles in the styles of several venues: a match, a slab, an ambiguous one, a lot, a sealed product, something else. */
export const EXAMPLES = [
  "1999 Pokemon Base Set Shadowless Charizard #4 Holo PSA 9 MINT",
  "【PSA10】ブラッキーVMAX SA s6a 095/069 イーブイヒーローズ",
  "2021 POKEMON SWORD & SHIELD EVOLVING SKIES #215 FA/UMBREON VMAX CGC 9.5",
  "Glurak 4/102 Holo Base Set EX Zustand",
  "Charizrd V 154/172 brillant stars",
  "Pikachu holo promo PSA 10",
  "ポケモンカード まとめ売り 引退品 ピカチュウ リザードン ミュウツー 他",
  "Pokemon Evolving Skies Booster Box 36 Packs Sealed",
  "Magnetic card stand for graded slabs, clear acrylic",
].join("\n");
