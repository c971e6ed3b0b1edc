// What the tests stand on: a server on localhost, Debian's Chromium, and the native example.

import { execFileSync } from "node:child_process";
import { accessSync, constants, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { delimiter, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../../../..");
/** Folder that `cargo make widgets` fills. */
const widgets = join(root, "book/src/widgets");

/** Folder that `cargo make book-build` fills. */
export const book = join(root, "book/book");

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** Serves page.html and the widgets, or the given `folders` by the start of their addresses. */
export async function serve(folders = { "/widgets/": widgets, "/": here }) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
    const prefix = Object.keys(folders).filter((prefix) => path.startsWith(prefix))
      .sort((a, b) => b.length - a.length)[0];
    try {
      const body = readFileSync(join(folders[prefix], path.slice(prefix.length)));
      response.setHeader("content-type", TYPES[extname(path)] ?? "application/octet-stream");
      response.end(body);
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** The path of the program `chromium`, or of the one that CHROMIUM names. */
export function chromiumPath() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder, "chromium");
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  throw new Error("looked for `chromium` on PATH and found none: apt install chromium, or set CHROMIUM");
}

/** What the native build of the same crate prints for these arguments. */
export function native(...values) {
  const cargo = ["run", "--quiet", "--release", "-p", "widgets", "--example", "reuse_json", "--"];
  const options = { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 };
  return execFileSync("cargo", [...cargo, ...values], options).trimEnd();
}
