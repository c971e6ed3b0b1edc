// <reuse-distance>: a pattern of accesses, its reuse distances, both histograms and its miss ratio
// curve. All numbers come from the `models` crate; this file asks, draws and writes tables.
//
// Until the model is loaded, and where there are no scripts, the element's own content shows.

import init, { reuse_distance } from "./widgets.js";
import { barChart, curveChart } from "./charts.js";
import { scrolling, shadow, table } from "./elements.js";

const PATTERNS = [
  ["letters", "typed letters"],
  ["sequential", "sequential: an array, twice"],
  ["strided", "strided: a matrix by columns, twice"],
  ["tree", "tree walk: random searches"],
  ["random", "random elements of an array"],
];
const WORKED_EXAMPLE = { letters: "a1 b1 e1 b2 c1 d1 a2", lines: "a b c | d e" };

const FORM = `
  <form aria-label="Access pattern">
    <label>Pattern <select name="pattern"></select></label>
    <label>Distances in <select name="unit">
      <option value="in_locations">locations</option>
      <option value="in_lines">cache lines</option>
    </select></label>
    <label data-for="letters">Accesses, in order
      <input name="letters" autocomplete="off" spellcheck="false"></label>
    <label data-for="letters">Which share a line
      <input name="lines" autocomplete="off" spellcheck="false"></label>
    <label data-for="generated">Size in lines of 64 bytes
      <input name="size" type="number" min="8" max="4096" step="1"></label>
    <button>Compute</button>
  </form>
  <p role="status"></p>
  <div class="results"></div>`;

class ReuseDistance extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    const root = shadow(this, FORM, ["reuse-distance.css"]);
    this.form = root.querySelector("form");
    const { pattern, unit, letters, lines, size } = this.form.elements;
    pattern.replaceChildren(...PATTERNS.map(([value, text]) => new Option(text, value)));
    pattern.value = this.getAttribute("pattern") ?? "letters";
    unit.value = this.getAttribute("unit") === "lines" ? "in_lines" : "in_locations";
    letters.value = this.getAttribute("letters") ?? WORKED_EXAMPLE.letters;
    lines.value = this.getAttribute("lines") ?? WORKED_EXAMPLE.lines;
    size.value = this.getAttribute("size") ?? "512";
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.compute();
    });
    // Changes take effect when a field is left, so that a keyboard can pass through a menu.
    this.form.addEventListener("change", () => this.compute());
    this.compute();
  }

  compute() {
    const { pattern, unit, letters, lines, size } = this.form.elements;
    for (const field of this.form.querySelectorAll("[data-for]")) {
      field.hidden = (field.dataset.for === "letters") !== (pattern.value === "letters");
    }
    const status = this.shadowRoot.querySelector("[role=status]");
    const results = this.shadowRoot.querySelector(".results");
    const size_lines = Number(size.value);
    let analysis;
    try {
      const whole = Number.isInteger(size_lines) && size_lines >= 0;
      if (!whole) throw `“${size.value}” lines are no size: choose a whole number from 8 to 4096`;
      analysis = JSON.parse(reuse_distance(pattern.value, size_lines, letters.value, lines.value));
    } catch (why) {
      status.textContent = String(why);
      status.className = "refused";
      results.replaceChildren();
      return;
    }
    status.className = "";
    status.textContent =
      `${count(analysis.accesses, "access", "accesses")} to ` +
      `${count(analysis.distinct_locations, "location", "locations")} in ` +
      `${count(analysis.distinct_lines, "line", "lines")}.`;
    const name = unit.value === "in_lines" ? "lines" : "locations";
    results.replaceChildren(
      accessTable(analysis, unit.value, name),
      histogram("Temporal distance: the same address", analysis[unit.value].temporal, name, "temporal"),
      histogram("Spatial distance: another address of the line", analysis[unit.value].spatial, name, "spatial"),
      missRatioCurve(analysis),
    );
  }
}

function accessTable(analysis, unit, name) {
  const rows = analysis.listed.map((access) => [
    access.name,
    access.line,
    access[unit].temporal ?? "–",
    access[unit].spatial ?? "–",
    access.hits_from_lines === null ? "none: first touch" : access.hits_from_lines,
  ]);
  const more = analysis.accesses - rows.length;
  const caption = `Each access, distances in ${name}` +
    (more > 0 ? `; the first ${rows.length}, ${more} more follow` : "");
  const head = ["access", "line", "temporal", "spatial", "cache lines for a hit"];
  return scrolling(table(caption, head, rows));
}

function histogram(title, { bins, first_uses }, name, kind) {
  const rows = bins.map((bin) => [range(bin), bin.count]);
  rows.push(["no earlier use", first_uses]);
  return figure(title, barChart(rows, `${title}, accesses by distance in ${name}`, kind), [
    table(title, [`distance in ${name}`, "accesses"], rows),
  ]);
}

function missRatioCurve({ curve, accesses }) {
  const title = "Miss ratio curve: a fully associative LRU cache";
  const rows = curve
    .filter((point) => point.size_lines > 0)
    .map((point) => [point.size_lines, point.misses, percent(point.misses, accesses)]);
  const chart = curveChart(
    rows.map(([size, misses]) => [size, misses / accesses]),
    `${title}, misses per access against its size in lines`,
  );
  return figure(title, chart, [
    scrolling(table(title, ["cache size in lines", "misses", "miss ratio"], rows)),
  ]);
}

function figure(title, chart, details) {
  const element = document.createElement("figure");
  const caption = document.createElement("figcaption");
  caption.textContent = title;
  const side = document.createElement("div");
  side.className = "side-by-side";
  side.append(chart, ...details);
  element.append(caption, side);
  return element;
}

const range = ({ first, last }) => (first === last ? `${first}` : `${first}–${last}`);
const percent = (part, whole) => `${((100 * part) / whole).toFixed(1)} %`;
const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;

// Defined only once the model is there: if loading fails, the static figure stays.
await init();
customElements.define("reuse-distance", ReuseDistance);
