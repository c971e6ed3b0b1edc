// The same figure in the built book: `cargo make book-build` comes first.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { book } from "./site.mjs";
import { world } from "./world.mjs";

const PAGES = ["reuse-of-programs.html", "miss-ratio-curve.html"];

const built = () =>
  assert.ok(existsSync(book), `looked for the built book in ${book}; next: cargo make book-build`);
const tests = world({ prepare: built, folders: { "/": book } });

for (const name of PAGES) {
  test(`${name} has a live figure and asks no other host for anything`, async () => {
    const page = await tests.browser.newPage();
    const requests = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(`${tests.site.origin}/memory/${name}`, { waitUntil: "networkidle" });
    const figure = page.locator("reuse-distance");
    assert.match(await figure.getByRole("status").textContent(), /^\d+ accesses to \d+ locations/);
    assert.equal(await figure.getByRole("figure").count(), 3);
    for (const url of requests) {
      assert.ok(url.startsWith(`${tests.site.origin}/`) || url.startsWith("data:"), url);
    }
    await page.close();
  });

  test(`${name} shows its static figure without scripts`, async () => {
    const context = await tests.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${tests.site.origin}/memory/${name}`);
    const figure = page.locator("reuse-distance > figure");
    assert.ok(await figure.isVisible());
    assert.ok((await figure.getByRole("row").count()) > 4);
    await context.close();
  });
}

test("locality-and-balance.html draws a run, and shows its table without scripts", async () => {
  const address = `${tests.site.origin}/work-stealing/locality-and-balance.html`;
  const page = await tests.browser.newPage();
  await page.goto(address, { waitUntil: "networkidle" });
  const figure = page.locator("schedule-timeline");
  assert.match(await figure.getByRole("status").textContent(), /^SB: .* L3 misses/);
  assert.equal(await figure.getByRole("img").count(), 1);
  await page.close();
  const context = await tests.browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(address);
  assert.equal(await plain.locator("schedule-timeline > figure").getByRole("row").count(), 5);
  await context.close();
});
