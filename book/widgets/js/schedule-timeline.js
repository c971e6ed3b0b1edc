// <schedule-timeline>: a program under four schedulers, one of the runs drawn as a row per worker.
// All numbers come from the `models` crate; this file asks, draws and writes a table.
//
// Until the model is loaded, and where there are no scripts, the element's own content shows.

import init, { schedule } from "./widgets.js";
import { scrolling, shadow, svg, table } from "./elements.js";

const PROGRAMS = {
  tiny: [["rrm-tiny", "RRM on 1024 items"]],
  "xeon-7560": [
    ["rrm", "RRM"],
    ["rrg", "RRG"],
    ["quicksort", "quicksort"],
    ["samplesort", "samplesort"],
    ["aware-samplesort", "aware samplesort"],
    ["quad-tree", "quad-tree"],
    ["matmul", "matmul"],
  ],
};
const MACHINES = [
  ["tiny", "tiny: 4 workers, 2 caches"],
  ["xeon-7560", "Xeon 7560 at 1/256: 64 workers, 4 caches"],
];
const SCHEDULERS = [["ws", "WS"], ["pws", "PWS"], ["sb", "SB"], ["sb-d", "SB-D"]];

const FORM = `
  <form aria-label="Run">
    <label>Machine <select name="machine"></select></label>
    <label>Program <select name="program"></select></label>
    <label>Scheduler drawn <select name="scheduler"></select></label>
    <label>Seed <input name="seed" type="number" min="0" max="4294967295" step="1"></label>
    <button>Run</button>
  </form>
  <p role="status"></p>
  <div class="results"></div>`;

class ScheduleTimeline extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    const root = shadow(this, FORM, ["schedule-timeline.css", "reuse-distance.css"]);
    this.form = root.querySelector("form");
    const { machine, scheduler, seed } = this.form.elements;
    fill(machine, MACHINES, this.getAttribute("machine"));
    fill(scheduler, SCHEDULERS, this.getAttribute("scheduler"));
    seed.value = this.getAttribute("seed") ?? "1";
    this.offerPrograms(this.getAttribute("program"));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.run();
    });
    this.form.addEventListener("change", (event) => {
      if (event.target === machine) this.offerPrograms();
      this.run();
    });
    this.run();
  }

  offerPrograms(wanted) {
    const { machine, program } = this.form.elements;
    fill(program, PROGRAMS[machine.value], wanted);
  }

  run() {
    const { machine, program, scheduler, seed } = this.form.elements;
    const status = this.shadowRoot.querySelector("[role=status]");
    const results = this.shadowRoot.querySelector(".results");
    let drawn;
    try {
      const number = Number(seed.value);
      const whole = seed.value !== "" && Number.isInteger(number) && number >= 0 && number < 2 ** 32;
      if (!whole) throw `“${seed.value}” is no seed: choose a whole number from 0 to 4294967295`;
      drawn = JSON.parse(schedule(program.value, machine.value, scheduler.value, number));
    } catch (why) {
      status.textContent = String(why);
      status.className = "refused";
      results.replaceChildren();
      return;
    }
    const name = scheduler.selectedOptions[0].text;
    const run = drawn.counts.find((counts) => counts.scheduler === scheduler.value);
    status.className = "";
    status.textContent =
      `${name}: ${grouped(run.misses)} ${drawn.cache} misses, ` +
      `${percent(run.active_permille)} of the workers’ time in strands.`;
    results.replaceChildren(figure(drawn, name, program.selectedOptions[0].text));
  }
}

function figure(drawn, scheduler, program) {
  const element = document.createElement("figure");
  const caption = document.createElement("figcaption");
  caption.textContent =
    `${program} under ${scheduler}: a row per worker, a gap between caches. ` +
    "Colour is the place in memory; blank is time without a strand.";
  element.append(caption, timeline(drawn, `${program} under ${scheduler}`), countTable(drawn));
  return element;
}

function timeline({ rows, workers_per_cache, counts, cache }, title) {
  const [height, gap, left, column] = rows.length > 16 ? [5, 6, 0, 5] : [18, 10, 0, 5];
  const width = left + rows[0].length * column;
  const y = (worker) => worker * height + Math.floor(worker / workers_per_cache) * gap;
  const label = `Timeline of ${rows.length} workers, ${title}: ${spoken(counts, cache)}`;
  const root = svg("svg", {
    viewBox: `0 0 ${width} ${y(rows.length - 1) + height}`, role: "img", "aria-label": label,
    class: "timeline", preserveAspectRatio: "none",
  });
  root.append(svg("title", {}, label));
  const paths = new Map();
  rows.forEach((row, worker) => {
    for (const piece of row.matchAll(/([a-l])\1*/g)) {
      const d = `M${left + piece.index * column} ${y(worker)}h${piece[0].length * column}v${height - 1}` +
        `h${-piece[0].length * column}z`;
      paths.set(piece[1], (paths.get(piece[1]) ?? "") + d);
    }
  });
  for (const [letter, d] of paths) root.append(svg("path", { class: letter, d }));
  return root;
}

const spoken = (counts, cache) =>
  counts.map((run) => `${run.scheduler} ${run.misses} ${cache} misses`).join(", ");

function countTable({ counts, cache, divisor }) {
  const scaled = divisor > 1 ? `; sizes are 1/${divisor} of the real ones` : "";
  const head = ["", `${cache} misses`, "makespan, cycles", "in strands", "callbacks", "no job", "steals"];
  const rows = counts.map((run) => [
    SCHEDULERS.find(([value]) => value === run.scheduler)[1],
    grouped(run.misses), grouped(run.makespan_cycles), percent(run.active_permille),
    percent(run.overhead_permille), percent(run.empty_queue_permille), grouped(run.steals),
  ]);
  return scrolling(table(`All four schedulers${scaled}`, head, rows, { named: true }));
}

function fill(select, options, wanted) {
  select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
  if (options.some(([value]) => value === wanted)) select.value = wanted;
}

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, " ");
const percent = (permille) => `${(permille / 10).toFixed(1)} %`;

// Defined only once the model is there: if loading fails, the static figure stays.
await init();
customElements.define("schedule-timeline", ScheduleTimeline);
