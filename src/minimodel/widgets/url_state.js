// @ts-check
/**
 * A widget's setting in the page's address, so that a link leads to it: `?distribution_explorer.tau=0.5`.
 *
 * Only what differs from the start is written, and what cannot be read is ignored. A notebook's page is not ours: its
 * models have no `place`, and there nothing is read, written or offered.
 */
import { element, FOCUSABLE } from "./controls.js";

/** @typedef {import("./controls.js").Model} Model */
/** @typedef {(text: string) => unknown} Reader  what a text of the address stands for; undefined where it is no value */

/** How long a setting must stand before it is written, in ms: browsers count how often a page does it. */
const SETTLED = 300;

/** What every widget of the page would have in the address. @type {((params: URLSearchParams) => void)[]} */
const writers = [];

/** @param {number} low @param {number} high @returns {Reader} */
export const numberIn = (low, high) => (text) => (text.trim() && Number(text) >= low && Number(text) <= high ? Number(text) : undefined);

/** @param {number} low @param {number} high @returns {Reader} */
export const wholeIn = (low, high) => (text) => (Number.isInteger(Number(text)) ? numberIn(low, high)(text) : undefined);

/** A value that may also be null, which is written "off". @param {Reader} read @returns {Reader} */
export const orOff = (read) => (text) => (text === "off" ? null : read(text));

/** @param {readonly unknown[]} values @returns {Reader} */
export const oneOf = (values) => (text) => values.find((value) => String(value) === text);

/**
 * Start from the address, keep it up to date, and return the button that copies the link, or nothing in a notebook.
 * @param {Model} model
 * @param {Record<string, Reader>} readers  by the name of what is shared
 * @param {import("./controls.js").Strings} strings
 * @returns {HTMLElement[]}
 */
export function share(model, readers, strings) {
  const { place } = model;
  if (!place) return [];
  const start = Object.keys(readers).map((name) => [name, written(model.get(name))]);
  const asked = new URLSearchParams(location.search);
  for (const [name, read] of Object.entries(readers)) {
    const value = read(asked.get(`${place}.${name}`) ?? "");
    if (value !== undefined) model.set(name, value);
    model.on(`change:${name}`, writeSoon);
  }
  writers.push((params) => start.forEach(([name, text]) => {
    const now = written(model.get(name));
    if (now === text) params.delete(`${place}.${name}`);
    else params.set(`${place}.${name}`, now);
  }));
  return [copyButton(place, strings)];
}

/** The page's address with the settings of all its widgets. */
function address() {
  const url = new URL(location.href);
  for (const write of writers) write(url.searchParams);
  return url;
}

let writing = 0;
function writeSoon() {
  clearTimeout(writing);
  writing = setTimeout(() => {
    try {
      history.replaceState(history.state, "", address());
    } catch {
      // a page from disk may not be allowed to; the button works all the same
    }
  }, SETTLED);
}

/** @param {string} place @param {import("./controls.js").Strings} strings */
function copyButton(place, strings) {
  const button = element("button", { type: "button", class: "mm-button", ...FOCUSABLE }, strings.copy_link);
  const said = element("span", { class: "mm-link", role: "status" });
  button.addEventListener("click", async () => {
    const url = address();
    url.hash = place;
    try {
      await navigator.clipboard.writeText(url.href);
      said.textContent = strings.copied;
    } catch {
      said.textContent = url.href; // to be copied by hand
    }
  });
  button.addEventListener("blur", () => said.replaceChildren());
  return element("span", { class: "mm-share" }, button, said);
}

/** @param {unknown} value */
function written(value) {
  return value === null ? "off" : String(value);
}
