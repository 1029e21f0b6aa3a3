// @ts-check
// A formula or table wider than the screen scrolls in its own box: let the keyboard reach those that do, and only those.
{
  const boxes = "mjx-container[display], .wide-formula, .pst-scrollable-table-container, .output.text_html";
  const all = (/** @type {string} */ selector) =>
    /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`article :is(${selector})`));

  const mark = () => {
    for (const formula of all("mjx-container:not([display])")) {
      const drawn = formula.querySelector("svg");
      const room = /** @type {HTMLElement} */ (formula.closest("p, li, td, th, legend, label, div"));
      formula.classList.toggle("wide-formula", !!drawn && drawn.getBoundingClientRect().width > room.clientWidth);
    }
    for (const box of all(boxes)) {
      if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };

  addEventListener("load", mark);
  addEventListener("formulas-drawn", mark);
  addEventListener("resize", mark);
  addEventListener("toggle", mark, true); // what was folded has had no width
}
