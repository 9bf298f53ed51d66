/**
 * Reads the titles of Pokémon card listings: what is for sale, and which catalogue card it is. `titledex/games` reads those of other games too.
 *
 * ```js
 * import { TitleDex } from "titledex";
 * const dex = await TitleDex.load({ catalogue: new URL("titledex/catalogue/english.pack", import.meta.url) });
 * dex.parse("1999 Pokemon Base Set Charizard 4/102 Holo PSA 9").matches[0]?.cardId; // "base1-4"
 * ```
 *
 * @module
 */
import { Code } from "./code.js";
import { TitleDexError } from "./error.js";
import { Dex, initSync } from "./module.js";
import { Reader, loaded } from "./reader.js";
import { checked, type Loading, type Source } from "./source.js";

export { TitleDexError, type ErrorCode } from "./error.js";
export type { Loading, Progress, Source } from "./source.js";
export { toUtf16, utf16Spans, type Range } from "./spans.js";
export type * from "./types.js";

/** What is loaded, and how. */
export interface LoadOptions extends Loading {
  /** The cards: a file of the package's `catalogue/`, or one that `titledex catalogue pack` or `build` wrote, gzip or not. */
  catalogue: Source;
  /** The code; the package's own `titledex.wasm` where it is not given. A page or process has one: later loads use the first one's. */
  module?: Source | WebAssembly.Module | undefined;
}

/** The only game that this module reads. */
const GAME = "pokemon";
const CODE = new Code(new URL("./titledex.wasm", import.meta.url), initSync);

/** Reads titles and matches them with the cards of one catalogue, on the thread that calls it. */
export class TitleDex extends Reader {
  /** Loads module and catalogue at once, each compiled or read as it comes in. */
  static async load(options: LoadOptions): Promise<TitleDex> {
    const dex = await loaded(CODE, [checked(options).catalogue], options, ([bytes], memory) => new TitleDex(Dex.open(bytes), memory));
    const others = dex.catalogueInfo().games.filter((game) => game !== GAME);
    if (others.length === 0) return dex;
    dex.free();
    throw new TitleDexError("bad_argument", `\`catalogue\` has cards of ${others.join(", ")}; read it by the TitleDex of "titledex/games", or give TitleDexWorker a list`);
  }
}

/** Bytes of the module's memory, catalogues and all; 0 before the first load. It grows and never shrinks. */
export function memoryBytes(): Promise<number> {
  return CODE.memoryBytes();
}
