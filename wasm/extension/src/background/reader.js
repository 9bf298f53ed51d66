import { TitleDex as Games } from "../titledex/games.js";
import { TitleDex } from "../titledex/index.js";
import { TitleDexWorker } from "../titledex/worker.js";
import { GAMES } from "../ui/games.js";
import { settings } from "./settings.js";

const [FIRST] = GAMES;

/** The most titles of one message: what a page asks at once comes from the page, and must not hold the reader up. */
const MOST = 500;

let loading;
let loaded;

/** Chromium's service worker is a thread of its own and can start no worker; Firefox's event page can. */
const [One, Several] = typeof Worker === "function" ? [TitleDexWorker, TitleDexWorker] : [TitleDex, Games];

async function reader() {
  const { catalogue, games } = await settings();
  const address = (game) => chrome.runtime.getURL(`titledex/catalogue/${game === FIRST ? "" : `${game}/`}${catalogue}.pack`);
  const wanted = games.map(address);
  if (loaded !== wanted.join()) {
    const before = loading;
    loaded = wanted.join();
    // the first game alone needs a smaller module
    loading = wanted.length === 1 && games[0] === FIRST ? One.load({ catalogue: wanted[0] }) : Several.load({ catalogue: wanted });
    loading.catch(() => {
      loaded = undefined;
    });
    before?.then((dex) => dex.free()).catch(() => {});
  }
  return loading;
}

/** The answers to titles, in their order. */
export async function read(titles) {
  if (!Array.isArray(titles) || titles.length > MOST || titles.some((title) => typeof title !== "string")) throw new TypeError(`up to ${MOST} titles, each a string`);
  const dex = await reader();
  return dex.parseBatch(titles);
}

export async function catalogueInfo() {
  const dex = await reader();
  return dex.catalogueInfo();
}
