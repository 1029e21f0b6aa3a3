// @ts-check
/** A prompt that the reader types, or composes from the words that the grammar may go on with. */
import { element, fill, FOCUSABLE, uniqueId } from "./controls.js";

/** @typedef {import("./page_model.js").PageModel} PageModel */

/**
 * @param {PageModel} page
 * @param {import("./controls.js").Strings} strings
 * @param {(prompt: string) => void} onChange  told of prompts that the model can read
 */
export function promptField(page, strings, onChange) {
  const id = uniqueId();
  const input = element("input", { id, class: "mm-prompt", type: "text", autocomplete: "off", spellcheck: "false", ...FOCUSABLE });
  const notice = element("p", { class: "mm-notice", role: "status" });
  const shorter = element("button", { type: "button", class: "mm-button mm-word-button", "aria-label": strings.shorter, ...FOCUSABLE }, "⌫");
  const list = element("p", { class: "mm-words" });
  const details = element("details", { class: "mm-compose" }, element("summary", { ...FOCUSABLE }, strings.words), list);
  /** @type {number[]} */
  let shown = [];

  /** @param {number[]} ids */
  const offer = (ids) => onChange(page.spelled(ids).join(""));
  input.addEventListener("change", () => {
    const words = page.split(input.value);
    const unknown = words.find((word) => page.id(word) === undefined);
    notice.textContent = unknown ? fill(strings.unknown, { word: unknown }) : words.length ? "" : strings.empty;
    if (notice.textContent) details.open = true;
    else offer(promptIds(page, input.value));
  });
  shorter.addEventListener("click", () => shown.length > 1 && offer(shown.slice(0, -1)));

  /** @param {number} word */
  const button = (word) => {
    const made = element("button", { type: "button", class: "mm-button mm-word-button", ...FOCUSABLE }, page.words[word]);
    made.addEventListener("click", () => {
      offer([...shown, word]);
      /** @type {HTMLElement} */ (list.children[1] ?? shorter).focus(); // the button pressed has gone
    });
    return made;
  };
  return {
    root: element("div", { class: "mm-composer" }, element("label", { for: id }, strings.prompt), input, details, notice),
    /** @param {string} prompt */
    show(prompt) {
      const ids = promptIds(page, prompt);
      if (ids.join() === shown.join() && input.value === prompt) return;
      shown = ids;
      input.value = prompt;
      notice.textContent = "";
      list.replaceChildren(shorter, ...page.grammar.wordsAfter(ids).filter((word) => word !== page.eos).map(button));
    },
  };
}

/** The ids of a prompt's words, all of which the model knows. @param {PageModel} page @param {string} prompt */
export function promptIds(page, prompt) {
  return page.split(prompt).map((word) => /** @type {number} */ (page.id(word)));
}
