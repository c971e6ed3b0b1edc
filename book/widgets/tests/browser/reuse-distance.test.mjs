// The live figure <reuse-distance> in headless Chromium.

import assert from "node:assert/strict";
import { test } from "node:test";
import { native } from "./site.mjs";
import { world } from "./world.mjs";

const tests = world();
const open = (options) => tests.open("page.html", options);

/** The cells of the row of the access table that starts with `name`. */
const row = (page, name) =>
  page.getByRole("table", { name: "Each access" }).getByRole("row").filter({ hasText: name })
    .getByRole("cell").allTextContents();

const PATTERNS = [
  ["letters", "a1 b1 e1 b2 c1 d1 a2", "a b c | d e"],
  ["letters", "x y x y z x", ""],
  ["sequential", "512"],
  ["strided", "100"],
  ["tree", "4096"],
  ["random", "1000"],
];

for (const [name, ...parts] of PATTERNS) {
  test(`wasm and native give the same bytes: ${name} ${parts.join(", ")}`, async () => {
    const { page, close } = await open();
    const values = name === "letters" ? [name, 0, ...parts] : [name, Number(parts[0]), "", ""];
    const inBrowser = await page.evaluate(async (values) => {
      const { reuse_distance } = await import("/widgets/widgets.js");
      return reuse_distance(...values);
    }, values);
    assert.equal(inBrowser, native(name, ...parts));
    await close();
  });
}

test("the worked example shows 4 for a2 and 2 for d1", async () => {
  const { page, errors, close } = await open();
  assert.deepEqual(await row(page, "a2"), ["a2", "0", "4", "1", "2"]);
  assert.deepEqual(await row(page, "d1"), ["d1", "1", "–", "2", "2"]);
  assert.deepEqual(errors, []);
  await close();
});

test("a keyboard alone changes the unit, the pattern and the letters", async () => {
  const { page, close } = await open();
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await press("Tab", "Tab"); // the unit
  await press("ArrowDown", "Tab");
  assert.deepEqual(await row(page, "a2"), ["a2", "0", "1", "1", "2"]);
  await press("Control+a");
  await page.keyboard.type("p q p");
  await press("Enter");
  assert.match(await page.getByRole("status").textContent(), /^3 accesses to 2 locations in 2 lines/);
  await press("Shift+Tab", "Shift+Tab", "ArrowDown", "Tab"); // back to the pattern: sequential
  assert.match(await page.getByRole("status").textContent(), /^8192 accesses to 4096 locations in 512/);
  await close();
});

test("what cannot be computed is answered with a sentence, and then recovers", async () => {
  const { page, close } = await open();
  const letters = page.getByLabel("Accesses, in order");
  await letters.fill("a1 -2");
  await letters.press("Enter");
  assert.match(await page.getByRole("status").textContent(), /“-2” is not an access/);
  assert.equal(await page.getByRole("table").count(), 0);
  await letters.fill("a1 a2");
  await letters.press("Enter");
  assert.deepEqual(await row(page, "a2"), ["a2", "0", "0", "–", "1"]);
  await page.getByRole("combobox", { name: "Pattern" }).selectOption("tree");
  for (const size of ["4097", "", "9.5"]) {
    await page.getByRole("spinbutton").fill(size);
    await page.getByRole("spinbutton").press("Tab");
    assert.match(await page.getByRole("status").textContent(), /choose .*8 to 4096/, size);
  }
  await close();
});

test("every plot has a table with the same numbers beside it", async () => {
  const { page, close } = await open();
  await page.getByRole("combobox", { name: "Pattern" }).selectOption("tree");
  const figures = page.getByRole("figure");
  assert.equal(await figures.count(), 3);
  for (const figure of (await figures.all()).slice(0, 2)) {
    const inTable = await figure.getByRole("row").evaluateAll((rows) =>
      rows.slice(1).map((row) => [...row.cells].map((cell) => cell.textContent)).flat());
    const inPlot = await figure.locator("svg text").allTextContents();
    assert.deepEqual(inPlot, inTable);
  }
  const curve = figures.nth(2);
  const steps = (await curve.locator("path").getAttribute("d")).split(/[MH]/).length - 1;
  assert.equal(steps, (await curve.getByRole("row").count()) - 1);
  await close();
});

test("without scripts the static figure shows", async () => {
  const { page, close } = await open({ javaScriptEnabled: false });
  assert.ok(await page.locator("#static").isVisible());
  await close();
});

test("with scripts the live figure takes the static one's place", async () => {
  const { page, close } = await open();
  assert.ok(!(await page.locator("#static").isVisible()));
  await close();
});

test("if the model cannot be loaded the static figure stays", async () => {
  const context = await tests.browser.newContext();
  const page = await context.newPage();
  await page.route("**/*.wasm", (route) => route.abort());
  await page.goto(`${tests.site.origin}/page.html`, { waitUntil: "networkidle" });
  assert.ok(await page.locator("#static").isVisible());
  await context.close();
});

test("no request leaves this machine", async () => {
  const { page, requests, close } = await open();
  await page.getByRole("combobox", { name: "Pattern" }).selectOption("random");
  await page.waitForLoadState("networkidle");
  assert.ok(requests.length >= 5, requests.join(" "));
  for (const url of requests) {
    assert.ok(url.startsWith(`${tests.site.origin}/`) || url.startsWith("data:"), url);
  }
  await close();
});

test("a narrow screen needs no sideways scrolling", async () => {
  const { page, close } = await open({ viewport: { width: 320, height: 640 } });
  await page.getByRole("combobox", { name: "Pattern" }).selectOption("tree");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 320, `${wide} pixels`);
  await close();
});
