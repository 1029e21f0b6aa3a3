// @ts-check
// Opens the theme's menus by a click or the keyboard, which its style does for a mouse that rests on one.
{
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll(".dropdown > button"));

  /** @param {HTMLButtonElement} button @param {boolean} open */
  const show = (button, open) => {
    button.classList.toggle("show", open);
    button.setAttribute("aria-expanded", String(open));
  };

  for (const button of buttons) {
    const menu = /** @type {HTMLElement} */ (button.parentElement);
    button.addEventListener("click", () => show(button, button.ariaExpanded !== "true"));
    document.addEventListener("click", ({ target }) => menu.contains(/** @type {Node} */ (target)) || show(button, false));
    menu.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget && !menu.contains(/** @type {Node} */ (relatedTarget))) show(button, false);
    });
    menu.addEventListener("keydown", ({ key }) => {
      if (key !== "Escape" || button.ariaExpanded !== "true") return;
      show(button, false);
      button.focus();
    });
  }
}
