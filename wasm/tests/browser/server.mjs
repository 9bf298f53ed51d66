import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json", ".wasm": "application/wasm", ".png": "image/png" };

/** A static server on a free port: `folders` maps prefixes of paths to folders; paths that end in one of `broken` fail. `close()` also ends open connections, as a cut line does. */
export async function serve(folders, headers = {}) {
  const broken = new Set();
  const prefixes = Object.keys(folders).sort((a, b) => b.length - a.length);
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const prefix = prefixes.find((prefix) => path.startsWith(prefix));
    let file = prefix && normalize(join(folders[prefix], path.slice(prefix.length)));
    if (file && (path.endsWith("/") || path === prefix)) file = join(file, "index.html");
    if (path === "/favicon.ico") {
      response.writeHead(204);
      response.end();
      return;
    }
    if ([...broken].some((end) => path.endsWith(end))) {
      response.writeHead(503);
      response.end();
      return;
    }
    try {
      const body = await readFile(file);
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "content-length": body.length, ...headers });
      response.end(body);
    } catch {
      response.writeHead(404, { "content-type": "text/plain" });
      response.end("not found");
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  return {
    port,
    broken,
    address: (path, host = "localhost") => `http://${host}:${port}${path}`,
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  };
}
