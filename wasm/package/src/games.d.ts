// The same of the module for several catalogues (feature `games` of wasm).
export * from "./module.js";
