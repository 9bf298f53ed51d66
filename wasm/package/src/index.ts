/**
 * Reads the titles of Pokémon card listings: what is for sale, and which catalogue card it is.
 *
 * ```js
 * import { TitleDex } from "titledex";
 * const dex = await TitleDex.load({ catalogue: new URL("titledex/catalogue/english.pack", import.meta.url) });
 * dex.parse("1999 Pokemon Base Set Charizard 4/102 Holo PSA 9").matches[0]?.cardId; // "base1-4"
 * ```
 *
 * @module
 */
import { TitleDexError, ours } from "./error.js";
import * as first from "./module.js";
import type { Dex } from "./module.js";
import { answerOf, bytesOf, counted, summed, type Loading, type Source } from "./source.js";
import type { Answer, CatalogueInfo, ParseOptions } from "./types.js";

export { TitleDexError, type ErrorCode } from "./error.js";
export type { Loading, Progress, Source } from "./source.js";
export { toUtf16, utf16Spans, type Range } from "./spans.js";
export type * from "./types.js";

/** What is loaded, and how. */
export interface LoadOptions extends Loading {
  /**
   * The cards: a file of the package's `catalogue/`, or one that `titledex catalogue pack` or `build` wrote, gzip or not. A list of them, each
   * of other cards, is read as one catalogue, by a larger module that knows the words of all games.
   */
  catalogue: Source | readonly Source[];
  /** The code; the package's own `titledex.wasm` where it is not given, `games.wasm` for several catalogues. A page or process has one: later loads use the first one's. */
  module?: Source | WebAssembly.Module | undefined;
}

/** A module with what calls it. */
interface Code {
  address(): URL;
  glue(): Promise<typeof first>;
  instance?: Promise<WebAssembly.Memory> | undefined;
}

const ONE: Code = { address: () => new URL("./titledex.wasm", import.meta.url), glue: async () => first };
const SEVERAL: Code = { address: () => new URL("./games.wasm", import.meta.url), glue: () => import("./games.js") };

/** Reads titles and matches them with the cards of one catalogue, on the thread that calls it. */
export class TitleDex {
  #dex: Dex | undefined;

  private constructor(dex: Dex) {
    this.#dex = dex;
  }

  /** Loads module and catalogue at once, each compiled or read as it comes in. */
  static async load(options: LoadOptions): Promise<TitleDex> {
    if (typeof options !== "object" || options === null) {
      throw new TitleDexError("bad_argument", "`load` takes an object such as {catalogue: url}");
    }
    const sources = Array.isArray(options.catalogue) ? (options.catalogue as readonly Source[]) : undefined;
    const code = sources ? SEVERAL : ONE;
    const started = start(code, options);
    // a failure of one while the other is awaited is no unhandled rejection
    started.catch(() => {});
    const progress = summed(options, sources?.length ?? 0);
    const load = async (source: Source, loading: Loading) => bytesOf(await answerOf(source, "catalogue", loading), "catalogue", loading);
    const bytes = sources
      ? await Promise.all(sources.map((source, at) => load(source, { signal: options.signal, onProgress: progress(at) })))
      : await load(options.catalogue as Source, options);
    await started;
    options.signal?.throwIfAborted();
    const { Dex } = await code.glue();
    return new TitleDex(attempt(() => (Array.isArray(bytes) ? Dex.openAll!(bytes) : Dex.open(bytes))));
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

/** Bytes of the module's memory, catalogues and all; 0 before the first load. It grows and never shrinks. */
export async function memoryBytes(): Promise<number> {
  const memories = await Promise.all([ONE.instance, SEVERAL.instance]);
  return memories.reduce((bytes, memory) => bytes + (memory?.buffer.byteLength ?? 0), 0);
}

function attempt<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw ours(error);
  }
}

/** The module, compiled and started once. */
function start(code: Code, options: LoadOptions): Promise<WebAssembly.Memory> {
  if (!code.instance) {
    const starting = Promise.all([compile(code, options), code.glue()]).then(([module, { initSync }]) => initSync({ module }).memory);
    code.instance = starting;
    // what failed is tried again by the next load
    starting.catch(() => {
      code.instance = undefined;
    });
  }
  return code.instance;
}

async function compile(code: Code, options: LoadOptions): Promise<WebAssembly.Module> {
  const source = options.module ?? code.address();
  if (source instanceof WebAssembly.Module) return source;
  const answer = await answerOf(source, "module", options);
  try {
    // compiled while it comes in, where the server names its type
    if (answer instanceof Response && answer.headers.get("content-type")?.startsWith("application/wasm")) {
      return await WebAssembly.compileStreaming(counted(answer, "module", options));
    }
    return await WebAssembly.compile((await bytesOf(answer, "module", options)) as BufferSource);
  } catch (cause) {
    options.signal?.throwIfAborted();
    if (cause instanceof TitleDexError) throw cause;
    throw new TitleDexError("module", `the module could not be compiled: ${String(cause)}`, { cause });
  }
}
