// Two charts as SVG: bars for a histogram, steps for a curve. Data in, an element out.

import { svg } from "./elements.js";

const WIDTH = 440;

function canvas(height, title) {
  const root = svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": title });
  root.append(svg("title", {}, title));
  return root;
}

/** Horizontal bars: rows of a label and a count. `kind` names the colour. */
export function barChart(rows, title, kind) {
  const [rowHeight, left, right] = [20, 110, 60];
  const most = Math.max(1, ...rows.map(([, count]) => count));
  const root = canvas(rows.length * rowHeight + 4, title);
  rows.forEach(([label, count], row) => {
    const middle = row * rowHeight + 14;
    const length = ((WIDTH - left - right) * count) / most;
    root.append(
      svg("text", { x: left - 6, y: middle, "text-anchor": "end" }, label),
      svg("rect", { class: kind, x: left, y: middle - 11, width: length, height: 14 }),
      svg("text", { x: left + length + 5, y: middle }, count),
    );
  });
  return root;
}

/** Steps of a ratio against a size on a log2 axis: rows of a size and a ratio from 0 to 1. */
export function curveChart(rows, title) {
  const [height, left, right, top, bottom] = [230, 44, 12, 8, 38];
  const sizes = rows.map(([size]) => Math.log2(size));
  const most = Math.max(1, ...sizes);
  const x = (log) => left + ((WIDTH - left - right) * log) / most;
  const y = (ratio) => top + (height - top - bottom) * (1 - ratio);
  const root = canvas(height, title);
  for (const ratio of [0, 0.25, 0.5, 0.75, 1]) {
    root.append(
      svg("line", { class: "grid", x1: left, x2: WIDTH - right, y1: y(ratio), y2: y(ratio) }),
      svg("text", { x: left - 5, y: y(ratio) + 4, "text-anchor": "end" }, `${100 * ratio} %`),
    );
  }
  const every = Math.ceil(most / 7);
  for (let log = 0; log <= most; log += every) {
    root.append(svg("text", { x: x(log), y: height - 20, "text-anchor": "middle" }, 2 ** log));
  }
  const label = "cache size in lines";
  root.append(svg("text", { x: (left + WIDTH) / 2, y: height - 4, "text-anchor": "middle" }, label));
  let path = "";
  rows.forEach(([, ratio], place) => {
    // A cache keeps its ratio until the next size: up to there it is no better.
    path += place === 0 ? `M${x(sizes[0])} ${y(ratio)}` : `H${x(sizes[place])}V${y(ratio)}`;
  });
  root.append(svg("path", { class: "curve", d: path }));
  return root;
}
