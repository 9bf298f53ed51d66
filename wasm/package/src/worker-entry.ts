// What runs in the worker of `TitleDexWorker`.
import { TitleDex, TitleDexError } from "./index.js";
import type { Reply, Request } from "./worker.js";

let dex: TitleDex | undefined;
const port = globalThis as unknown as { postMessage(reply: Reply): void; addEventListener(type: "message", call: (event: MessageEvent<Request>) => void): void };

port.addEventListener("message", ({ data }) => {
  answer(data).then(
    (value) => port.postMessage({ id: data.id, value }),
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      port.postMessage({ id: data.id, error: error instanceof TitleDexError ? { code: error.code, message } : { message } });
    },
  );
});

async function answer(request: Request): Promise<unknown> {
  if (request.call === "load") {
    const { id, catalogue, module } = request;
    dex = await TitleDex.load({ catalogue, module, onProgress: (progress) => port.postMessage({ id, progress }) });
    return undefined;
  }
  if (!dex) throw new TitleDexError("worker", "the catalogue was not loaded");
  switch (request.call) {
    case "parse":
      return dex.parse(request.title, request.options);
    case "parseJson":
      return dex.parseJson(request.title, request.options);
    case "parseBatch":
      return dex.parseBatch(request.titles, request.options);
    case "catalogueInfo":
      return dex.catalogueInfo();
  }
}
