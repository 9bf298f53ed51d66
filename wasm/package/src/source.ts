import { TitleDexError, kind } from "./error.js";

/** Where bytes come from: an address, an answer of `fetch`, or the bytes themselves. In Node a string that is no address is a path. */
export type Source = URL | string | Response | ArrayBuffer | Uint8Array;

/** How far a load has come. */
export interface Progress {
  /** What is being loaded. */
  part: "module" | "catalogue";
  /** Bytes so far, as they are after the transfer's own compression. */
  loaded: number;
  /** All bytes, where the server says so and does not compress. */
  total?: number;
}

/** Settings of a load. */
export interface Loading {
  /** Called as bytes come in. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Ends the load, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

const GZIP = [0x1f, 0x8b];

/** Refuses what is no object of options. */
export function checked<T>(options: T): T {
  if (typeof options === "object" && options !== null) return options;
  throw new TitleDexError("bad_argument", "`load` takes an object such as {catalogue: url}");
}

/** Bytes as they are, an address as what `fetch` answers. */
export async function answerOf(source: Source, part: Progress["part"], { signal }: Loading): Promise<Response | Uint8Array> {
  signal?.throwIfAborted();
  if (source instanceof Uint8Array) return source;
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (source instanceof Response) return ok(source, part);
  if (typeof source !== "string" && !(source instanceof URL)) {
    throw new TitleDexError("bad_argument", `\`${part}\` is ${kind(source)}; give an address, a Response or bytes`);
  }
  const file = fileOf(source);
  try {
    if (file !== undefined) return new Uint8Array(await readFile(file));
    return ok(await fetch(source, signal ? { signal } : {}), part);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof TitleDexError) throw cause;
    throw new TitleDexError("network", `the ${part} could not be loaded from ${String(source)}: ${String(cause)}`, { cause });
  }
}

function ok(response: Response, part: string): Response {
  if (response.ok) return response;
  throw new TitleDexError("network", `the ${part} could not be loaded from ${response.url}: status ${response.status}`);
}

/** All bytes of an answer; those of a gzip file are unpacked, so that a server needs no setting for it. */
export async function bytesOf(answer: Response | Uint8Array, part: Progress["part"], loading: Loading): Promise<Uint8Array> {
  const bytes = answer instanceof Uint8Array ? answer : new Uint8Array(await counted(answer, part, loading).arrayBuffer().catch(rethrow(part, loading)));
  if (answer instanceof Uint8Array) loading.onProgress?.({ part, loaded: bytes.length, total: bytes.length });
  if (bytes[0] !== GZIP[0] || bytes[1] !== GZIP[1]) return bytes;
  const unpacked = new Response(new Response(bytes as BodyInit).body?.pipeThrough(new DecompressionStream("gzip")));
  return new Uint8Array(await unpacked.arrayBuffer().catch(rethrow(part, loading)));
}

function rethrow(part: string, { signal }: Loading) {
  return (cause: unknown): never => {
    signal?.throwIfAborted();
    throw new TitleDexError("network", `the ${part} ended before it was whole: ${String(cause)}`, { cause });
  };
}

/** The same answer, whose bytes are told to `onProgress` as they pass. */
export function counted(response: Response, part: Progress["part"], { onProgress }: Loading): Response {
  if (!onProgress || !response.body) return response;
  const length = Number(response.headers.get("content-length"));
  // a compressed transfer has the length of what travels, not of what comes out
  const total = length > 0 && !response.headers.get("content-encoding") ? { total: length } : {};
  let loaded = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      loaded += chunk.length;
      onProgress({ part, loaded, ...total });
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(count), { headers: response.headers });
}

/** How far each of several sources has come, told as one: a call for each. */
export function summed({ onProgress }: Loading, count: number): (at: number) => Loading["onProgress"] {
  if (!onProgress) return () => undefined;
  const all: Progress[] = Array.from({ length: count }, () => ({ part: "catalogue", loaded: 0 }));
  return (at) => (progress) => {
    all[at] = progress;
    const add = (sum: number, bytes: number) => sum + bytes;
    const loaded = all.map((one) => one.loaded).reduce(add, 0);
    const totals = all.map((one) => one.total);
    const known = totals.every((total) => total !== undefined);
    onProgress({ part: "catalogue", loaded, ...(known ? { total: (totals as number[]).reduce(add, 0) } : {}) });
  };
}

/** The path or `file:` address that Node reads; none in browsers. */
function fileOf(source: URL | string): URL | string | undefined {
  if (!isNode()) return undefined;
  if (source instanceof URL) return source.protocol === "file:" ? source : undefined;
  if (/^[a-z][a-z0-9+.-]+:/i.test(source)) return source.startsWith("file:") ? new URL(source) : undefined;
  return source;
}

function isNode(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  return typeof process?.versions?.node === "string";
}

async function readFile(file: URL | string): Promise<Uint8Array> {
  // asked of the process, not imported: bundlers look for no such module, and a browser extension may import nothing at run time
  const { process } = globalThis as unknown as { process: { getBuiltinModule(name: "node:fs"): { promises: { readFile(file: URL | string): Promise<Uint8Array> } } } };
  return process.getBuiltinModule("node:fs").promises.readFile(file);
}
