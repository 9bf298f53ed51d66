// Made-up titles in the styles of several venues.

const NAMES = ["Charizard", "Blastoise", "Venusaur", "Pikachu", "Mewtwo", "Gengar", "Dragonite", "Snorlax", "Alakazam", "Gyarados", "Machamp", "Eevee", "リザードン", "ピカチュウ", "ブラッキー", "Glurak", "Dracaufeu"];
const SETS = ["Base Set", "Jungle", "Fossil", "Team Rocket", "Neo Genesis", "Evolving Skies", "Obsidian Flames", "151", "旧裏", "Basis-Set", "Set de Base"];
const TAILS = ["PSA 10", "PSA 9 MINT", "CGC 9.5", "BGS 8", "NM", "LP", "Holo", "Reverse Holo", "1st Edition", "美品", "送料無料", "Near Mint", "L@@K", "🔥🔥"];

/** `count` titles that differ from each other, the same at every run. */
export function manyTitles(count) {
  return Array.from({ length: count }, (_, at) => {
    const pick = (words, step) => words[(at * step + Math.floor(at / words.length)) % words.length];
    return `${pick(NAMES, 7)} ${(at % 198) + 1}/198 ${pick(SETS, 5)} ${pick(TAILS, 3)} Pokemon ${at}`;
  });
}

/** Titles that would run, break or hide something if a page took them for more than text. */
export const HOSTILE = [
  `<img src=x onerror="globalThis.harmed = 'img'"> Charizard 4/102 Base Set`,
  `"><script>globalThis.harmed = 'script'</script> Pikachu 58/102`,
  `<svg onload="globalThis.harmed = 'svg'"></svg> Mewtwo 10/102 PSA 9`,
  `javascript:globalThis.harmed='url' Blastoise 2/102`,
  `</textarea></span></button><style>*{display:none!important}</style> Venusaur 15/102`,
  `{{constructor.constructor('globalThis.harmed=1')()}} Gengar 5/62 Fossil`,
  `\u202edrazirahC\u202c \u200bMew 8/165 \ud83d Pikachu 25/25`,
  `__proto__ constructor hasOwnProperty Snorlax 11/64`,
];
