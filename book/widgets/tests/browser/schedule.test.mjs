// The live figure <schedule-timeline> in headless Chromium. The recorded runs are those that
// `cargo test -p widgets --test schedule` checks natively.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { world } from "./world.mjs";

const recorded = (file) => readFileSync(new URL(`../schedule/${file}`, import.meta.url), "utf8").trimEnd();
const RUNS = recorded("runs.txt").split("\n");

const tests = world();
const open = (options) => tests.open("schedule.html", options);

for (const run of RUNS) {
  test(`wasm gives the bytes that are recorded and checked natively: ${run}`, async () => {
    const { page, close } = await open();
    const [program, machine, scheduler, seed] = run.split(" ");
    const inBrowser = await page.evaluate(async (values) => {
      const { schedule } = await import("/widgets/widgets.js");
      return schedule(...values);
    }, [program, machine, scheduler, Number(seed)]);
    assert.equal(inBrowser, recorded(`${run.replaceAll(" ", "-")}.json`));
    await close();
  });
}

test("the timeline has a row for each worker and the table all schedulers", async () => {
  const { page, errors, close } = await open();
  const picture = page.getByRole("img");
  assert.match(await picture.getAttribute("aria-label"), /^Timeline of 64 workers, RRM under SB/);
  assert.ok((await picture.locator("path").count()) >= 10);
  assert.equal(await page.getByRole("row").count(), 5);
  const status = await page.getByRole("status").textContent();
  const misses = await page.getByRole("row").filter({ hasText: /^SB\d/ }).getByRole("cell").first().textContent();
  assert.ok(status.startsWith(`SB: ${misses} L3 misses`), `${status} and ${misses}`);
  assert.deepEqual(errors, []);
  await close();
});

test("a keyboard alone changes machine and scheduler", async () => {
  const { page, close } = await open();
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await press("Tab", "ArrowUp", "Tab"); // the tiny machine
  assert.match(await page.getByRole("status").textContent(), /^SB: .* L2 misses/);
  await press("Tab", "ArrowUp", "ArrowUp", "Tab"); // from SB to WS
  assert.match(await page.getByRole("status").textContent(), /^WS: .* L2 misses/);
  await close();
});

test("a seed that is none is answered with a sentence, and then recovers", async () => {
  const { page, close } = await open();
  for (const seed of ["-1", "4294967296", "", "1.5"]) {
    await page.getByRole("spinbutton").fill(seed);
    await page.getByRole("spinbutton").press("Tab");
    assert.match(await page.getByRole("status").textContent(), /choose .*0 to 4294967295/, seed);
    assert.equal(await page.getByRole("table").count(), 0);
  }
  await page.getByRole("spinbutton").fill("5");
  await page.getByRole("spinbutton").press("Enter");
  assert.equal(await page.getByRole("row").count(), 5);
  await close();
});

test("without scripts, and without the model, the static figure shows", async () => {
  const { page, close } = await open({ javaScriptEnabled: false });
  assert.ok(await page.locator("#static").isVisible());
  await close();
  const context = await tests.browser.newContext();
  const broken = await context.newPage();
  await broken.route("**/*.wasm", (route) => route.abort());
  await broken.goto(`${tests.site.origin}/schedule.html`, { waitUntil: "networkidle" });
  assert.ok(await broken.locator("#static").isVisible());
  await context.close();
});

test("a narrow screen needs no sideways scrolling, and no request leaves this machine", async () => {
  const { page, requests, close } = await open({ viewport: { width: 320, height: 640 } });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 320, `${wide} pixels`);
  for (const url of requests) {
    assert.ok(url.startsWith(`${tests.site.origin}/`) || url.startsWith("data:"), url);
  }
  await close();
});
