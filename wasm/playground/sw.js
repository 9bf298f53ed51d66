// Keeps the page for times without a network. What is online wins, so a page is never older than its server.
const CACHE = "titledex-playground";
/** The page and its files, as seen from the folder that this script lies in. */
const OURS = /^$|^(?!openapi\.json$)[a-z-]+\.(html|js|json|css|svg)$|^(ui|titledex|words)\//;
/** What is kept once it was asked for: other catalogues, what reads several games, and what writes Parquet files. */
const ON_DEMAND = /^titledex\/(catalogue\/|games[.-])|^words\/(?!pokemon)|^parquet\.js$/;

self.addEventListener("install", (event) => {
  const fill = async () => {
    const cache = await caches.open(CACHE);
    const files = await (await fetch("files.json", { cache: "no-cache" })).json();
    await cache.addAll(["./", "files.json", ...files.filter((file) => !ON_DEMAND.test(file) || file === "titledex/catalogue/all.pack")]);
    await self.skipWaiting();
  };
  event.waitUntil(fill());
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  // the same server may answer an API beside the page: that is let alone
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  const path = new URL(request.url).href.slice(self.registration.scope.length).replace(/[?#].*/, "");
  if (!OURS.test(path)) return;
  event.respondWith(answer(event));
});

/** What the network answers, at once: it is stored while the page reads it, where there is room. Without a network what was stored before. */
async function answer(event) {
  const { request } = event;
  let response;
  try {
    response = await fetch(request);
  } catch (error) {
    const kept = await stored(request);
    if (kept) return kept;
    throw error;
  }
  if (response.status === 200) event.waitUntil(store(request, response.clone()));
  return response;
}

// storage may be refused, full, or thrown away by the browser: then there is the network alone

async function store(request, response) {
  try {
    const cache = await caches.open(CACHE);
    await cache.put(request, response);
  } catch {
    // the page has its answer all the same
  }
}

async function stored(request) {
  try {
    const cache = await caches.open(CACHE);
    return await cache.match(request, { ignoreSearch: true });
  } catch {
    return undefined;
  }
}
