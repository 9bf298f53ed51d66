// What wasm-bindgen makes of wasm/src/lib.rs, as far as the package uses it.
export class Dex {
  static open(bytes: unknown): Dex;
  line(title: unknown, options: unknown): string;
  answer(title: unknown, options: unknown): string;
  answers(titles: unknown[], options: unknown): string;
  numbers(): number;
  info(): string;
  free(): void;
}
export function initSync(given: { module: WebAssembly.Module }): { memory: WebAssembly.Memory };
