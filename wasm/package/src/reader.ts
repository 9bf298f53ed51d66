import { Code, type CodeOptions } from "./code.js";
import { TitleDexError, kind, ours } from "./error.js";
import { answer } from "./objects.js";
import { answerOf, bytesOf, summed, type Source } from "./source.js";
import { take } from "./tape.js";
import type { Answer, CatalogueInfo, ParseOptions } from "./types.js";

/** An open catalogue as the modules have it. */
interface Opened {
  line(title: unknown, options: unknown): string;
  answer(title: unknown, options: unknown): string;
  answers(titles: unknown[], options: unknown): string;
  numbers(): number;
  info(): string;
  free(): void;
}

/** What an open catalogue can be asked. */
export class Reader {
  #dex: Opened | undefined;
  #memory: WebAssembly.Memory;
  /** The module's memory as numbers, until it grows. */
  #numbers: Int32Array = new Int32Array();

  protected constructor(dex: Opened, memory: WebAssembly.Memory) {
    this.#dex = dex;
    this.#memory = memory;
  }

  /** The answer to a title. Every string has one. */
  parse(title: string, options?: ParseOptions): Answer {
    this.#take((dex) => dex.answer(title, options));
    return answer();
  }

  /** The answer to a title as the line that `titledex parse` writes, byte for byte. */
  parseJson(title: string, options?: ParseOptions): string {
    return attempt(() => this.#open().line(title, options));
  }

  /** The answers to titles, in their order: quicker than one by one. */
  parseBatch(titles: readonly string[], options?: ParseOptions): Answer[] {
    if (!Array.isArray(titles)) throw new TitleDexError("bad_argument", `\`titles\` is ${kind(titles)}; give an array of strings`);
    this.#take((dex) => dex.answers(titles, options));
    return titles.map(answer);
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

  /** Has answers written, to be made into objects. */
  #take(write: (dex: Opened) => string): void {
    const dex = this.#open();
    const letters = attempt(() => write(dex));
    const { buffer } = this.#memory;
    if (this.#numbers.buffer !== buffer) this.#numbers = new Int32Array(buffer);
    take(this.#numbers, dex.numbers() / Int32Array.BYTES_PER_ELEMENT, letters);
  }

  #open(): Opened {
    if (this.#dex) return this.#dex;
    throw new TitleDexError("freed", "this TitleDex was freed: load another");
  }
}

/** Starts `code` and loads `sources` at once, and opens them. */
export async function loaded<T>(code: Code, sources: readonly Source[], options: CodeOptions, open: (bytes: Uint8Array[], memory: WebAssembly.Memory) => T): Promise<T> {
  const started = code.start(options);
  // a failure of one while the other is awaited is no unhandled rejection
  started.catch(() => {});
  const progress = summed(options, sources.length);
  const load = async (source: Source, at: number) => {
    const loading = { signal: options.signal, onProgress: progress(at) };
    return bytesOf(await answerOf(source, "catalogue", loading), "catalogue", loading);
  };
  const bytes = await Promise.all(sources.map(load));
  const memory = await started;
  options.signal?.throwIfAborted();
  return attempt(() => open(bytes, memory));
}

function attempt<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw ours(error);
  }
}
