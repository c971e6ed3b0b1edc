// Parts that the live figures share: SVG elements, tables, boxes that scroll, styles.

/** An element of an SVG, with its attributes and perhaps a text. */
export function svg(name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

/** A table; with `named`, the first cell of each row is its header. */
export function table(caption, head, rows, { named = false } = {}) {
  const element = document.createElement("table");
  element.createCaption().textContent = caption;
  const header = element.createTHead().insertRow();
  header.append(...head.map((text) => headerCell("col", text)));
  const body = element.createTBody();
  for (const cells of rows) {
    const row = body.insertRow();
    cells.forEach((text, column) => {
      if (named && column === 0) row.append(headerCell("row", text));
      else row.insertCell().textContent = text;
    });
  }
  return element;
}

function headerCell(scope, text) {
  const cell = document.createElement("th");
  cell.scope = scope;
  cell.textContent = text;
  return cell;
}

/** A table that is too large scrolls in a box, which the keyboard has to be able to reach. */
export function scrolling(content) {
  const box = document.createElement("div");
  box.className = "scrolling";
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", content.caption.textContent);
  box.append(content);
  return box;
}

/** A shadow root with this content and these style sheets, which lie beside the scripts. */
export function shadow(host, content, styles) {
  const root = host.attachShadow({ mode: "open" });
  root.innerHTML = content;
  root.prepend(...styles.map((name) => {
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = new URL(`./${name}`, import.meta.url).href;
    return style;
  }));
  return root;
}
