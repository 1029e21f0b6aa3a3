// @ts-check
// A formula or table wider than the screen scrolls in its own box: let the keyboard reach those that do, and only those.
{
  const boxes = "div.math, .pst-scrollable-table-container, .table-wrapper, .output.text_html";
  const mark = () => {
    for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(boxes))) {
      if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  addEventListener("load", () => setTimeout(mark, 500)); // after MathJax has drawn
  addEventListener("resize", mark);
}
