/**
 * Reads the titles of listings of several card games with a catalogue for each, as one.
 *
 * ```js
 * import { TitleDex } from "titledex/games";
 * const catalogue = ["english.pack", "magic/english.pack"].map((name) => new URL(`/catalogue/${name}`, location.href));
 * const dex = await TitleDex.load({ catalogue });
 * dex.parse("Sheoldred, the Apocalypse DMU 107").matches[0]?.cardId; // "magic:dmu-107"
 * ```
 *
 * @module
 */
import { Code } from "./code.js";
import { Dex, initSync } from "./games-module.js";
import { Reader, loaded } from "./reader.js";
import { checked, type Loading, type Source } from "./source.js";

export { TitleDexError, type ErrorCode } from "./error.js";
export type { Loading, Progress, Source } from "./source.js";
export { toUtf16, utf16Spans, type Range } from "./spans.js";
export type * from "./types.js";

/** What is loaded, and how. */
export interface LoadOptions extends Loading {
  /**
   * The cards: files of the package's `catalogue/`, or such as `titledex catalogue pack` or `build` wrote, gzip or not; of several each card is in
   * one. In whatever order they are given, they are read as one catalogue.
   */
  catalogue: Source | readonly Source[];
  /** The code; the package's own `games.wasm` where it is not given. A page or process has one: later loads use the first one's. */
  module?: Source | WebAssembly.Module | undefined;
}

const CODE = new Code(new URL("./games.wasm", import.meta.url), initSync);

/** Reads titles and matches them with the cards of all its catalogues, on the thread that calls it. */
export class TitleDex extends Reader {
  /** Loads module and catalogues at once, each compiled or read as it comes in. */
  static async load(options: LoadOptions): Promise<TitleDex> {
    const { catalogue } = checked(options);
    const sources = Array.isArray(catalogue) ? (catalogue as readonly Source[]) : [catalogue as Source];
    return loaded(CODE, sources, options, (bytes, memory) => new TitleDex(Dex.openAll(bytes), memory));
  }
}

/** Bytes of the module's memory, catalogues and all; 0 before the first load. It grows and never shrinks. */
export function memoryBytes(): Promise<number> {
  return CODE.memoryBytes();
}
