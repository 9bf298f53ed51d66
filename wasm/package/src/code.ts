import { TitleDexError } from "./error.js";
import * as first from "./module.js";
import { answerOf, bytesOf, counted, type Loading, type Source } from "./source.js";

/** What wasm-bindgen writes for a module. */
export type Glue = typeof first;

/** Where the code of a load comes from. */
export interface CodeOptions extends Loading {
  module?: Source | WebAssembly.Module | undefined;
  glue?: object | undefined;
}

/** A module of WebAssembly with its script, compiled and started once for a page or process. */
export class Code {
  #address: () => URL;
  #glue: () => Promise<Glue>;
  #started: Promise<{ glue: Glue; memory: WebAssembly.Memory }> | undefined;

  constructor(address: () => URL, glue: () => Promise<Glue>) {
    this.#address = address;
    this.#glue = glue;
  }

  /** What calls the module, once it runs. */
  async start(options: CodeOptions): Promise<Glue> {
    if (!this.#started) {
      const starting = this.#start(options);
      this.#started = starting;
      // what failed is tried again by the next load
      starting.catch(() => {
        this.#started = undefined;
      });
    }
    return (await this.#started).glue;
  }

  async #start(options: CodeOptions): Promise<{ glue: Glue; memory: WebAssembly.Memory }> {
    const [module, glue] = await Promise.all([compile(options.module ?? this.#address(), options), (options.glue as Glue | undefined) ?? this.#glue()]);
    return { glue, memory: glue.initSync({ module }).memory };
  }

  async memoryBytes(): Promise<number> {
    return (await this.#started)?.memory.buffer.byteLength ?? 0;
  }
}

/** Reads one catalogue, of Pokémon. */
export const ONE = new Code(
  () => new URL("./titledex.wasm", import.meta.url),
  async () => first,
);
/** Reads several, of any of the games. */
export const SEVERAL = new Code(
  () => new URL("./games.wasm", import.meta.url),
  () => import("./games.js"),
);

async function compile(source: Source | WebAssembly.Module, options: Loading): Promise<WebAssembly.Module> {
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
