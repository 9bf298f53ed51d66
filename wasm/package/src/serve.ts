// What answers in a worker.
import { TitleDexError } from "./error.js";
import type { Loading, Source } from "./source.js";
import type { Reader } from "./reader.js";
import type { Reply, Request } from "./worker.js";

/** What loads a reader. */
interface Loads {
  load(options: Loading & { catalogue: Source; module?: Source | WebAssembly.Module | undefined }): Promise<Reader>;
}

const port = globalThis as unknown as { postMessage(reply: Reply): void; addEventListener(type: "message", call: (event: MessageEvent<Request>) => void): void };

/** Answers what the page's side asks, with what `loads` loads. */
export function serve(loads: Loads): void {
  let dex: Reader | undefined;
  async function answer(request: Request): Promise<unknown> {
    if (request.call === "load") {
      const { id, catalogue, module } = request;
      // a list goes only to the worker that takes one
      dex = await loads.load({ catalogue: catalogue as Source, module, onProgress: (progress) => port.postMessage({ id, progress }) });
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
  port.addEventListener("message", ({ data }) => {
    answer(data).then(
      (value) => port.postMessage({ id: data.id, value }),
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        port.postMessage({ id: data.id, error: error instanceof TitleDexError ? { code: error.code, message } : { message } });
      },
    );
  });
}
