// @ts-check
/** A prompt that the reader types, or composes from the words that the grammar may go on with. */
import { afterPress, element, fieldNotice, fill, FOCUSABLE, uniqueId } from "./controls.js";

/** @typedef {import("./page_model.js").PageModel} PageModel */

/**
 * @param {PageModel} page
 * @param {import("./controls.js").Strings} strings
 * @param {(prompt: string) => void} onChange  told of prompts that the model can read
 */
export function promptField(page, strings, onChange) {
  const input = element("input", { id: uniqueId(), class: "mm-prompt", type: "text", autocomplete: "off", spellcheck: "false", ...FOCUSABLE });
  const notice = fieldNotice(input);
  const shorter = element("button", { type: "button", class: "mm-button mm-word-button", ...FOCUSABLE }, `← ${strings.shorter}`);
  const list = element("p", { class: "mm-words" }, shorter);
  const details = element("details", { class: "mm-compose" }, element("summary", { ...FOCUSABLE }, strings.words), list);
  const settle = afterPress(input);
  /** @type {string | undefined} */
  let shown; // the prompt that was taken last
  /** @type {number[]} */
  let known = []; // what the model knows of the text in the field, up to the first word that it does not

  /** Offer the words that can come next, and say what is wrong with the text, if anything. @param {number[]} ids @param {string} [problem] */
  const draw = (ids, problem = "") => {
    known = ids;
    settle(() => {
      notice.say(problem);
      if (problem) details.open = true;
      shorter.setAttribute("aria-disabled", String(page.split(input.value).length < 2)); // keeps the focus
      const pressed = list.matches(":focus-within") && !shorter.matches(":focus");
      for (const old of [...list.children].slice(1)) old.remove();
      list.append(...page.grammar.wordsAfter(ids).filter((word) => word !== page.eos).map(button));
      if (pressed) /** @type {HTMLElement} */ (list.children[1] ?? shorter).focus(); // the button pressed has gone
    });
  };
  /** @param {string} prompt */
  const show = (prompt) => {
    shown = input.value = prompt;
    draw(promptIds(page, prompt));
  };
  /** @param {number[]} ids */
  const offer = (ids) => {
    const prompt = page.spelled(ids).join("");
    show(prompt);
    onChange(prompt);
  };
  /** A text that the reader asks for; one that the model cannot read stays, to be corrected. @param {string} text */
  const take = (text) => {
    const words = page.split(text);
    const unknown = words.findIndex((word) => page.id(word) === undefined);
    if (words.length && unknown < 0) return offer(promptIds(page, text));
    input.value = text;
    const before = words.slice(0, Math.max(unknown, 0)).join(" ");
    draw(promptIds(page, before), words.length ? fill(strings.unknown, { word: words[unknown] }) : strings.empty);
  };
  input.addEventListener("change", () => take(input.value));
  shorter.addEventListener("click", () => {
    const words = page.split(input.value);
    if (words.length > 1) take(words.slice(0, -1).join(" "));
  });

  /** @param {number} word */
  const button = (word) => {
    const made = element("button", { type: "button", class: "mm-button mm-word-button", ...FOCUSABLE }, page.words[word]);
    made.addEventListener("click", () => offer([...known, word]));
    return made;
  };
  return {
    root: element("div", { class: "mm-composer" }, element("label", { for: input.id }, strings.prompt), input, details, notice.root),
    /** A new prompt; where it is none, what the reader is typing stays, and what was refused. @param {string} prompt */
    show: (prompt) => void (prompt === shown || show(prompt)),
  };
}

/** The ids of a prompt's words, all of which the model knows. @param {PageModel} page @param {string} prompt */
export function promptIds(page, prompt) {
  return page.split(prompt).map((word) => /** @type {number} */ (page.id(word)));
}

/** A prompt in the page's address; undefined where there is none that the model can read. @param {PageModel} page */
export const promptReader = (page) => (/** @type {string} */ text) => {
  const ids = page.split(text).map(page.id);
  return ids.length && !ids.includes(undefined) ? page.spelled(/** @type {number[]} */ (ids)).join("") : undefined;
};
