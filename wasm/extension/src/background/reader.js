import { TitleDex } from "../titledex/index.js";
import { TitleDexWorker } from "../titledex/worker.js";
import { settings } from "./settings.js";

/** The most titles of one message: what a page asks at once comes from the page, and must not hold the reader up. */
const MOST = 500;

let loading;
let loaded;

/** Chromium's service worker is a thread of its own and can start no worker; Firefox's event page can. */
const Reader = typeof Worker === "function" ? TitleDexWorker : TitleDex;

async function reader() {
  const { catalogue } = await settings();
  if (loaded !== catalogue) {
    const before = loading;
    loaded = catalogue;
    const address = chrome.runtime.getURL(`titledex/catalogue/${catalogue}.pack`);
    loading = Reader.load({ catalogue: address });
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
