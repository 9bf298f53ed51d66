import { TitleDexWorker } from "./titledex/worker.js";
import { GAMES } from "./ui/games.js";

const [FIRST] = GAMES;

/** Titles that go to the worker at once: an answer comes back before the eye sees a wait, and newer text need not wait for older. */
const BATCH = 200;
/** Answers that are kept, so that a keystroke among a thousand titles reads one of them. */
const KEPT = 20_000;

/** Titles as they are shown: a surrogate alone, which a text box takes, is U+FFFD, and no error of the title. */
const wellFormed = (titles) => titles.map((title) => title.toWellFormed());

/** Reads titles in a worker, and remembers what it read. */
export class Reader {
  #dex;
  #answers = new Map();

  /** Reads cards of `games` in `languages`. The first game alone needs a smaller module. */
  static async load(games, languages, { onProgress, signal } = {}) {
    const reader = new Reader();
    const address = (game) => new URL(`./titledex/catalogue/${game === FIRST ? "" : `${game}/`}${languages}.pack`, import.meta.url);
    const catalogue = games.length === 1 && games[0] === FIRST ? address(FIRST) : games.map(address);
    // started here, whose address stays when build.mjs makes one file of all modules
    const entry = Array.isArray(catalogue) ? "./titledex/games-worker-entry.js" : "./titledex/worker-entry.js";
    const worker = new Worker(new URL(entry, import.meta.url), { type: "module" });
    reader.#dex = await TitleDexWorker.load({ catalogue, onProgress, signal, worker });
    return reader;
  }

  /** Answers to all `titles` in their order; `onPart` hears how many are there, and gets those. Ends early, with undefined, where `isStale()`. */
  async read(titles, { isStale = () => false, onPart = () => {} } = {}) {
    const missing = [...new Set(titles)].filter((title) => !this.#answers.has(title));
    if (this.#answers.size + missing.length > KEPT) this.#answers.clear();
    const wanted = this.#answers.size === 0 ? [...new Set(titles)] : missing;
    for (let at = 0; at < wanted.length; at += BATCH) {
      const part = wanted.slice(at, at + BATCH);
      const answers = await this.#dex.parseBatch(wellFormed(part));
      part.forEach((title, of) => this.#answers.set(title, answers[of]));
      if (isStale()) return undefined;
      onPart(Math.min(at + BATCH, wanted.length), wanted.length, (title) => this.#answers.get(title));
    }
    return titles.map((title) => this.#answers.get(title));
  }

  /** Answers with options of their own, which are not kept. */
  ask(titles, options) {
    return this.#dex.parseBatch(wellFormed(titles), options);
  }

  info() {
    return this.#dex.catalogueInfo();
  }

  free() {
    this.#dex.free();
  }
}
