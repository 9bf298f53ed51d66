/**
 * Reads the titles of listings of Pokémon cards and of other card games: what is for sale, and which catalogue card it is.
 *
 * ```js
 * import { TitleDex } from "titledex";
 * const dex = await TitleDex.load({ catalogue: new URL("titledex/catalogue/english.pack", import.meta.url) });
 * dex.parse("1999 Pokemon Base Set Charizard 4/102 Holo PSA 9").matches[0]?.cardId; // "base1-4"
 * ```
 *
 * @module
 */
import { ONE, SEVERAL } from "./code.js";
import { TitleDexError, ours } from "./error.js";
import type { Dex } from "./module.js";
import { answerOf, bytesOf, summed, type Loading, type Source } from "./source.js";
import type { Answer, CatalogueInfo, ParseOptions } from "./types.js";

export { TitleDexError, type ErrorCode } from "./error.js";
export type { Loading, Progress, Source } from "./source.js";
export { toUtf16, utf16Spans, type Range } from "./spans.js";
export type * from "./types.js";

/** What is loaded, and how. */
export interface LoadOptions extends Loading {
  /**
   * The cards: a file of the package's `catalogue/`, or one that `titledex catalogue pack` or `build` wrote, gzip or not. A list of them, each
   * of other cards, is read as one catalogue, by `games.wasm`, which knows the words of all games; `titledex.wasm` knows Pokémon's.
   */
  catalogue: Source | readonly Source[];
  /** The code; the package's own where it is not given. A page or process has one `titledex.wasm` and one `games.wasm`: later loads use the first one's. */
  module?: Source | WebAssembly.Module | undefined;
  /** `import * as glue from "titledex/games"`, which calls `games.wasm`: for service workers, which can import nothing once they run. */
  glue?: object | undefined;
}

/** The game whose words `titledex.wasm` has. */
const FIRST_GAME = "pokemon";

/** Reads titles and matches them with the cards of one catalogue, or of several, on the thread that calls it. */
export class TitleDex {
  #dex: Dex | undefined;

  private constructor(dex: Dex) {
    this.#dex = dex;
  }

  /** Loads module and catalogues at once, each compiled or read as it comes in. */
  static async load(options: LoadOptions): Promise<TitleDex> {
    if (typeof options !== "object" || options === null) {
      throw new TitleDexError("bad_argument", "`load` takes an object such as {catalogue: url}");
    }
    const { catalogue, module, onProgress, signal } = options;
    const sources = isList(catalogue) ? catalogue : [catalogue];
    const started = isList(catalogue) ? SEVERAL.start(options) : ONE.start({ module, onProgress, signal });
    // a failure of one while the other is awaited is no unhandled rejection
    started.catch(() => {});
    const progress = summed(options, sources.length);
    const fetched = async (source: Source, at: number) => {
      const loading = { signal, onProgress: progress(at) };
      return bytesOf(await answerOf(source, "catalogue", loading), "catalogue", loading);
    };
    const bytes = await Promise.all(sources.map(fetched));
    const { Dex } = await started;
    signal?.throwIfAborted();
    if (isList(catalogue)) return new TitleDex(attempt(() => Dex.openAll!(bytes)));
    const dex = new TitleDex(attempt(() => Dex.open(bytes[0])));
    if (dex.catalogueInfo().games.every((game) => game === FIRST_GAME)) return dex;
    // `titledex.wasm` lacks the words of other games
    dex.free();
    return TitleDex.load({ ...options, catalogue: bytes, module: undefined });
  }

  /** The answer to a title. Every string has one. */
  parse(title: string, options?: ParseOptions): Answer {
    return JSON.parse(this.parseJson(title, options)) as Answer;
  }

  /** The answer to a title as the line that `titledex parse` writes, byte for byte. */
  parseJson(title: string, options?: ParseOptions): string {
    return attempt(() => this.#open().parse(title, options));
  }

  /** The answers to titles, in their order: quicker than one by one. */
  parseBatch(titles: readonly string[], options?: ParseOptions): Answer[] {
    if (!Array.isArray(titles)) throw new TitleDexError("bad_argument", `\`titles\` is a ${typeof titles}; give an array of strings`);
    return JSON.parse(attempt(() => this.#open().parseBatch(titles, options))) as Answer[];
  }

  /** What the catalogue holds. */
  catalogueInfo(): CatalogueInfo {
    return JSON.parse(this.#open().info()) as CatalogueInfo;
  }

  /** Gives the catalogue's memory back, to be used by the next one; the object is of no use after it. */
  free(): void {
    this.#dex?.free();
    this.#dex = undefined;
  }

  #open(): Dex {
    if (this.#dex) return this.#dex;
    throw new TitleDexError("freed", "this TitleDex was freed: load another");
  }
}

/** Bytes of the modules' memory, catalogues and all; 0 before the first load. It grows and never shrinks. */
export async function memoryBytes(): Promise<number> {
  const [one, several] = await Promise.all([ONE.memoryBytes(), SEVERAL.memoryBytes()]);
  return one + several;
}

function isList(catalogue: Source | readonly Source[]): catalogue is readonly Source[] {
  return Array.isArray(catalogue);
}

function attempt<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw ours(error);
  }
}
