// A site and a headless Chromium for the tests of one file.

import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { chromiumPath, serve } from "./site.mjs";

/** Starts both before the file's tests and ends them after; the fields are there from then on.
 * `prepare` may refuse, and `folders` are as for `serve`. */
export function world({ prepare = () => {}, folders } = {}) {
  const world = { open };
  before(async () => {
    prepare();
    world.site = await serve(folders);
    world.browser = await chromium.launch({
      executablePath: chromiumPath(),
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    });
  });
  after(async () => {
    await world.browser?.close();
    world.site?.close();
  });

  /** A page with a live figure; `requests` fills with the address of everything it asks for. */
  async function open(path, options = {}) {
    const context = await world.browser.newContext(options);
    const page = await context.newPage();
    const requests = [];
    const errors = [];
    page.on("request", (request) => requests.push(request.url()));
    page.on("pageerror", (error) => errors.push(error));
    await page.goto(`${world.site.origin}/${path}`);
    if (options.javaScriptEnabled !== false) await page.getByRole("status").waitFor();
    return { page, requests, errors, close: () => context.close() };
  }
  return world;
}
