// What wasm-bindgen makes of wasm/src/lib.rs, as far as the package uses it.
export class Dex {
  static open(bytes: unknown): Dex;
  parse(title: unknown, options: unknown): string;
  parseBatch(titles: unknown[], options: unknown): string;
  info(): string;
  free(): void;
}
export function initSync(given: { module: WebAssembly.Module }): { memory: WebAssembly.Memory };
