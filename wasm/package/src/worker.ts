/**
 * The same in a web worker, off the page's thread: `TitleDexWorker.load` as `TitleDex.load`, and methods that return promises. A list of catalogues
 * is read as by the `TitleDex` of `titledex/games`.
 *
 * @module
 */
import { TitleDexError, type ErrorCode } from "./error.js";
import type { LoadOptions } from "./games.js";
import type { Loading, Progress, Source } from "./source.js";
import type { Answer, CatalogueInfo, ParseOptions } from "./types.js";

export { TitleDexError, type ErrorCode } from "./error.js";
export type { LoadOptions } from "./games.js";
export type { Loading, Progress, Source } from "./source.js";
export { toUtf16, utf16Spans, type Range } from "./spans.js";
export type * from "./types.js";

/** A source that can be sent to a worker. @internal */
export type Portable = URL | string | ArrayBuffer | Uint8Array;

/** What travels to the worker. @internal */
export type Request =
  | { id: number; call: "load"; catalogue: Portable | Portable[]; module?: URL | string | ArrayBuffer | Uint8Array | WebAssembly.Module | undefined }
  | { id: number; call: "parse" | "parseJson"; title: string; options?: ParseOptions | undefined }
  | { id: number; call: "parseBatch"; titles: readonly string[]; options?: ParseOptions | undefined }
  | { id: number; call: "catalogueInfo" };

/** What comes back. @internal */
export type Reply =
  | { id: number; value: unknown }
  | { id: number; progress: Progress }
  | { id: number; error: { code?: ErrorCode; message: string } };

/** What is loaded into a worker, and how. */
export interface WorkerLoadOptions extends LoadOptions {
  /** A module worker that runs this package's `worker-entry.js`, or `games-worker-entry.js` for a list, where the page starts it itself. */
  worker?: Worker | undefined;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  onProgress?: Loading["onProgress"];
}

type Bare<T> = T extends { id: number } ? Omit<T, "id"> : never;

/** A TitleDex in a worker of its own. */
export class TitleDexWorker {
  #worker: Worker;
  #waiting = new Map<number, Waiting>();
  #calls = 0;
  #ended: TitleDexError | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => this.#receive(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#end(new TitleDexError("worker", `the worker could not be started: ${event.message ?? "its script was not loaded"}`));
    });
  }

  /** Starts a worker and loads module and catalogue in it. */
  static async load(options: WorkerLoadOptions): Promise<TitleDexWorker> {
    const { catalogue, module, onProgress, signal } = options;
    signal?.throwIfAborted();
    if (!options.worker && typeof Worker !== "function") throw new TitleDexError("worker", "there are no web workers here: use TitleDex");
    const list = Array.isArray(catalogue) ? (catalogue as readonly Source[]) : undefined;
    const dex = new TitleDexWorker(options.worker ?? (list ? games() : one()));
    const stop = () => dex.#end(signal?.reason);
    signal?.addEventListener("abort", stop);
    try {
      const sent = list ? Promise.all(list.map(portable)) : portable(catalogue as Source);
      const [cards, code] = await Promise.all([sent, module === undefined ? undefined : portable(module)]);
      await dex.#ask({ call: "load", catalogue: cards as Portable | Portable[], module: code }, onProgress);
      return dex;
    } catch (error) {
      dex.free();
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  /** As {@link TitleDex.parse}. */
  parse(title: string, options?: ParseOptions): Promise<Answer> {
    return this.#ask({ call: "parse", title, options }) as Promise<Answer>;
  }

  /** As {@link TitleDex.parseJson}. */
  parseJson(title: string, options?: ParseOptions): Promise<string> {
    return this.#ask({ call: "parseJson", title, options }) as Promise<string>;
  }

  /** As {@link TitleDex.parseBatch}. */
  parseBatch(titles: readonly string[], options?: ParseOptions): Promise<Answer[]> {
    return this.#ask({ call: "parseBatch", titles, options }) as Promise<Answer[]>;
  }

  /** As {@link TitleDex.catalogueInfo}. */
  catalogueInfo(): Promise<CatalogueInfo> {
    return this.#ask({ call: "catalogueInfo" }) as Promise<CatalogueInfo>;
  }

  /** Ends the worker, and with it all its memory; calls that wait are refused. */
  free(): void {
    this.#end(new TitleDexError("freed", "this TitleDexWorker was freed: load another"));
  }

  #end(error: unknown): void {
    this.#ended ??= error instanceof TitleDexError ? error : new TitleDexError("freed", "this TitleDexWorker has ended");
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #ask(request: Bare<Request>, onProgress?: Loading["onProgress"]): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = ++this.#calls;
    return new Promise((resolve, reject) => {
      try {
        this.#worker.postMessage({ ...request, id });
      } catch (cause) {
        reject(new TitleDexError("bad_argument", `an argument cannot go to a worker: ${String(cause)}`, { cause }));
        return;
      }
      this.#waiting.set(id, { resolve, reject, onProgress });
    });
  }

  #receive(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    if ("progress" in reply) return waiting?.onProgress?.(reply.progress);
    this.#waiting.delete(reply.id);
    if ("value" in reply) waiting?.resolve(reply.value);
    else waiting?.reject(reply.error.code ? new TitleDexError(reply.error.code, reply.error.message) : new Error(reply.error.message));
  }
}

// each as bundlers look for workers
const one = () => new Worker(new URL("./worker-entry.js", import.meta.url), { type: "module" });
const games = () => new Worker(new URL("./games-worker-entry.js", import.meta.url), { type: "module" });

/** What can be sent to a worker: an answer of `fetch` as its bytes, an address as seen from the page. */
async function portable(source: Source | WebAssembly.Module): Promise<string | ArrayBuffer | Uint8Array | WebAssembly.Module> {
  if (source instanceof URL) return source.href;
  if (typeof source === "string") return new URL(source, globalThis.location?.href).href;
  if (!(source instanceof Response)) return source;
  if (!source.ok) throw new TitleDexError("network", `${source.url} could not be loaded: status ${source.status}`);
  return source.arrayBuffer();
}
