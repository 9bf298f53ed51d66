// The same of the module for several catalogues (feature `games` of wasm).
import { Dex as One } from "./module.js";

export class Dex extends One {
  static openAll(catalogues: unknown[]): Dex;
}
export { initSync } from "./module.js";
