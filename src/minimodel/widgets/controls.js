// @ts-check
/** What the widgets' pages are made of: elements without innerHTML, texts of the catalogue, sliders. */

/** @typedef {Record<string, string>} Strings  the texts of one widget in one language */

/**
 * A widget's state as anywidget hands it over; the static page has the same few methods.
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {(event: string, listener: () => void) => void} on
 * @property {(event: string, listener: () => void) => void} off
 * @property {() => void} save_changes
 * @property {string} [place]  the widget's id in a static page; a notebook's models have none
 */

/**
 * Make an element; a string among the children becomes text, never markup.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** Attributes of whatever takes the focus: JupyterLab keeps its shortcuts (arrow keys!) off it. */
export const FOCUSABLE = { "data-lm-suppress-shortcuts": "true" };

/**
 * Put values into a text of the catalogue: "{kept} of {size}".
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/**
 * A number with this many decimals, halves rounded up, as the static picture has it.
 * @param {number} number
 * @param {number} decimals
 */
export function fixed(number, decimals) {
  const scale = 10 ** decimals;
  return (Math.floor(number * scale + 0.5) / scale).toFixed(decimals);
}

/**
 * A probability for people: never "0.0%" for what can happen, nor "100%" for what need not.
 * @param {number} prob
 * @param {Strings} strings
 */
export function percent(prob, strings) {
  const rounded = fixed(100 * prob, 1);
  let number = rounded;
  if (prob <= 0 || prob >= 1) number = prob <= 0 ? "0" : "100";
  else if (rounded === "0.0" || rounded === "100.0") number = rounded === "0.0" ? "<0.1" : ">99.9";
  return fill(strings.percent, { n: number });
}

/** An id that no other widget of the page has, however often the module is loaded. */
export function uniqueId() {
  return `mm-${Math.random().toString(36).slice(2, 10)}`;
}

/**
 * A labelled slider. Its stops are whole numbers, each standing for a value.
 * @template Value
 * @param {object} options
 * @param {string} options.label
 * @param {[number, number]} options.stops  the first and the last
 * @param {[string, string]} options.ends  what to print under them
 * @param {{stop: number, text: string}} [options.mark]  one more stop worth a word
 * @param {(stop: number) => Value} options.valueAt
 * @param {(value: Value) => number} options.stopOf
 * @param {(value: Value) => string} options.say
 * @param {(value: Value) => void} options.onMove
 * @returns {{root: HTMLElement, show: (value: Value) => void}}
 */
export function slider({ label, stops: [first, last], ends, mark, valueAt, stopOf, say, onMove }) {
  const id = uniqueId();
  const input = element("input", { type: "range", id, class: "mm-range", min: first, max: last, step: 1, ...FOCUSABLE });
  const output = element("output", { for: id, "aria-live": "off" }); // the slider itself says its value
  input.addEventListener("input", () => onMove(valueAt(input.valueAsNumber)));
  /** @param {number} stop */
  const share = (stop) => String((stop - first) / (last - first));
  const scale = element("div", { class: "mm-scale" }, ...ends.map((end) => element("span", {}, end)));
  if (mark) {
    scale.append(element("span", { class: "mm-mark" }, mark.text));
    scale.style.setProperty("--mm-mark", share(mark.stop));
  }
  return {
    root: element("div", { class: "mm-knob" }, element("label", { for: id }, label), output, input, scale),
    show(value) {
      input.valueAsNumber = stopOf(value);
      input.style.setProperty("--mm-at", share(input.valueAsNumber));
      output.textContent = say(value);
      input.setAttribute("aria-valuetext", say(value));
    },
  };
}

/**
 * Where a field says what is wrong with its text. @param {HTMLInputElement} field
 * @returns {{root: HTMLElement, say: (problem: string) => void}}
 */
export function fieldNotice(field) {
  const root = element("p", { id: uniqueId(), class: "mm-notice", role: "status" });
  field.setAttribute("aria-describedby", root.id);
  return {
    root,
    say(problem) {
      root.textContent = problem;
      field.setAttribute("aria-invalid", String(problem !== ""));
    },
  };
}

/**
 * A press elsewhere takes the focus from a field, and what the field then redraws would move the button away between
 * press and click. So it waits until the click is over; a finger's tap sends the same events.
 * @param {HTMLElement} field
 * @returns {(redraw: () => void) => void}
 */
export function afterPress(field) {
  let pressed = false;
  let waiting = () => {};
  const release = () => setTimeout(() => { // the click comes first
    pressed = false;
    waiting();
    waiting = () => {};
  });
  /** @param {MouseEvent} event */
  const press = ({ button }) => {
    pressed = button === 0;
    for (const end of ["mouseup", "dragend", "keydown"]) addEventListener(end, release, { once: true, capture: true });
  };
  field.addEventListener("focus", () => addEventListener("mousedown", press, true));
  field.addEventListener("blur", () => removeEventListener("mousedown", press, true));
  return (redraw) => void (pressed ? (waiting = redraw) : redraw());
}

/** Set several values of a model, and tell its kernel. @param {Model} model @param {Record<string, unknown>} values */
export function change(model, values) {
  for (const [name, value] of Object.entries(values)) model.set(name, value);
  model.save_changes();
}
