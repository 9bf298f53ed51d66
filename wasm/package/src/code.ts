import { TitleDexError } from "./error.js";
import { answerOf, bytesOf, counted, type Loading, type Source } from "./source.js";

/** Where code comes from. */
export interface CodeOptions extends Loading {
  module?: Source | WebAssembly.Module | undefined;
}

/** A module of WebAssembly, compiled and started once for a page or process. */
export class Code {
  #address: URL;
  #initSync: (given: { module: WebAssembly.Module }) => { memory: WebAssembly.Memory };
  #started: Promise<WebAssembly.Memory> | undefined;

  constructor(address: URL, initSync: (given: { module: WebAssembly.Module }) => { memory: WebAssembly.Memory }) {
    this.#address = address;
    this.#initSync = initSync;
  }

  /** Its memory, once it runs. */
  start(options: CodeOptions): Promise<WebAssembly.Memory> {
    if (!this.#started) {
      const starting = compile(options.module ?? this.#address, options).then((module) => this.#initSync({ module }).memory);
      this.#started = starting;
      // what failed is tried again by the next load
      starting.catch(() => {
        this.#started = undefined;
      });
    }
    return this.#started;
  }

  async memoryBytes(): Promise<number> {
    return (await this.#started)?.buffer.byteLength ?? 0;
  }
}

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
