import type { ModuleErrorCode } from "./types.js";

/**
 * Why a call failed, for programs: what the module refuses, and
 * - `network`: what should be loaded could not be fetched or read;
 * - `module`: the WebAssembly module could not be compiled;
 * - `freed`: the object was freed before;
 * - `worker`: the worker could not be started, or ended.
 */
export type ErrorCode = ModuleErrorCode | "network" | "module" | "freed" | "worker";

/** What every failed call throws; a load that its `signal` ended throws the signal's reason. */
export class TitleDexError extends Error {
  override readonly name = "TitleDexError";
  /** Why, for programs; it stays the same from release to release, the message may not. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The type of a value, for a message, as the module says it. */
export function kind(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value === "object") return Array.isArray(value) ? "an array" : "an object";
  return `a ${typeof value}`;
}

/** An error of the module as ours; anything else as it is. */
export function ours(error: unknown): unknown {
  if (error instanceof Error && !(error instanceof TitleDexError) && "code" in error && typeof error.code === "string") {
    return new TitleDexError(error.code as ErrorCode, error.message);
  }
  return error;
}
