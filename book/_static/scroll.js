// @ts-check
// A formula, listing or table wider than the screen scrolls in its own box: let the keyboard reach those that do, and only those.
{
  const BOXES = "div.math, .wide-formula, pre, .cell_output > .output, .pst-scrollable-table-container";

  /** @param {HTMLElement} box */
  const mark = (box) => {
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  };

  /** A formula in a line becomes a box if it needs more than the line has. @param {HTMLElement} formula @param {HTMLElement} room */
  const fit = (formula, room) => {
    const drawn = /** @type {Element} */ (formula.querySelector("math"));
    formula.classList.toggle("wide-formula", drawn.getBoundingClientRect().width > room.clientWidth);
    mark(formula);
  };

  /** The formulas in the lines of each block. @type {Map<Element, HTMLElement[]>} */
  const inside = new Map();

  // It is told of what the browser lays out, when it has done so: nothing is laid out for its sake.
  const observer = new ResizeObserver((entries) => {
    for (const { target } of /** @type {{target: HTMLElement}[]} */ (/** @type {unknown} */ (entries))) {
      for (const formula of inside.get(target) ?? []) fit(formula, target);
      if (target.matches(BOXES)) mark(target);
    }
  });

  for (const formula of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("article span.math"))) {
    const room = /** @type {HTMLElement} */ (formula.closest("p, li, td, th, dt, dd, legend, label, div, h1, h2, h3"));
    inside.set(room, [...(inside.get(room) ?? []), formula]);
  }
  for (const block of [...inside.keys(), ...document.querySelectorAll(`article :is(${BOXES})`)]) observer.observe(block);
}
