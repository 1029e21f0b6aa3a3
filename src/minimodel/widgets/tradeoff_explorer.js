// @ts-check
/**
 * Diversity against accuracy: a sampler's measured curve; pick a temperature and read what was written at it.
 *
 * State (see tradeoff_explorer.py): `lang`, `strings`, `points`, `truth`, `n`, `prompts`, `texts`; `at` and `prompt`,
 * which the reader moves.
 */
import { change, element, fill, fixed, FOCUSABLE, slider, uniqueId } from "./controls.js";
import { share, wholeIn } from "./url_state.js";

/** @typedef {import("./controls.js").Strings} Strings */
/** @typedef {import("./controls.js").Model} Model */
/** @typedef {{tau: number, diversity: number[], accuracy: number[]}} Point  each a mean and the limits of its band */

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  /** @type {Strings} */
  const strings = model.get("strings");
  const parts = [picker, plot, knob, said, texts].map((part) => part(model, strings));
  el.classList.add("mm-widget");
  el.lang = model.get("lang");
  el.append(element("div", { class: "mm-card", role: "group", "aria-label": strings.title }, ...parts.map((part) => part.root)));
  const draw = () => parts.forEach((part) => part.show());
  for (const name of ["at", "prompt"]) model.on(`change:${name}`, draw);
  draw();
  return () => ["at", "prompt"].forEach((name) => model.off(`change:${name}`, draw));
}

export default { render };

/** Whose completions to read. @param {Model} model @param {Strings} strings */
function picker(model, strings) {
  const id = uniqueId();
  /** @type {string[]} */
  const prompts = model.get("prompts");
  const link = share(model, { at: wholeIn(0, model.get("points").length - 1), prompt: wholeIn(0, prompts.length - 1) }, strings);
  const select = element("select", { id, class: "mm-select", ...FOCUSABLE }, ...prompts.map((prompt, i) => element("option", { value: i }, `${prompt} …`)));
  select.addEventListener("change", () => change(model, { prompt: Number(select.value) }));
  return {
    root: element("div", { class: "mm-head" }, element("label", { for: id }, strings.prompt), select, element("span", { class: "mm-actions" }, ...link)),
    show: () => void (select.value = model.get("prompt")),
  };
}

/** The curve; a click or a touch picks the nearest point. @param {Model} model @param {Strings} strings */
function plot(model, strings) {
  /** @type {Point[]} */
  const points = model.get("points");
  const marks = points.flatMap(({ diversity, accuracy }) => [cross(diversity, accuracy), dot(diversity[0], accuracy[0], "mm-dot")]);
  const dots = marks.filter((mark) => mark.className === "mm-dot");
  const area = element("div", { class: "mm-field-of-points", "aria-hidden": "true" }, ...marks, dot(model.get("truth").diversity, model.get("truth").accuracy, "mm-truth"));
  area.addEventListener("click", (event) => {
    const { left, bottom, width, height } = area.getBoundingClientRect();
    const far = points.map(({ diversity: [x], accuracy: [y] }) => Math.hypot(event.clientX - left - x * width, bottom - event.clientY - y * height));
    change(model, { at: far.indexOf(Math.min(...far)) });
  });
  return {
    root: element("div", { class: "mm-scatter" }, area, element("p", { class: "mm-key" }, fill(strings.axes, { n: model.get("n") }))),
    show: () => dots.forEach((mark, i) => mark.classList.toggle("mm-here", i === model.get("at"))),
  };
}

/** @param {number} x @param {number} y @param {string} name */
function dot(x, y, name) {
  const mark = element("i", { class: name });
  Object.assign(mark.style, { left: `${100 * x}%`, bottom: `${100 * y}%` });
  return mark;
}

/** The bands of a point, one across, one up. @param {number[]} diversity @param {number[]} accuracy */
function cross([x, left, right], [y, low, high]) {
  const [across, up] = [element("i", { class: "mm-across" }), element("i", { class: "mm-up" })];
  Object.assign(across.style, { left: `${100 * left}%`, width: `${100 * (right - left)}%`, bottom: `${100 * y}%` });
  Object.assign(up.style, { left: `${100 * x}%`, bottom: `${100 * low}%`, height: `${100 * (high - low)}%` });
  return element("span", {}, across, up);
}

/** @param {Model} model @param {Strings} strings */
function knob(model, strings) {
  /** @type {Point[]} */
  const points = model.get("points");
  const last = points.length - 1;
  const { root, show } = slider({
    label: strings.temperature,
    stops: [0, last],
    ends: [String(points[0].tau), String(points[last].tau)],
    valueAt: (stop) => stop,
    stopOf: (at) => at,
    say: (at) => points[at].tau.toFixed(2),
    onMove: (at) => change(model, { at }),
  });
  return { root, show: () => show(model.get("at")) };
}

/** The point in a sentence. @param {Model} model @param {Strings} strings */
function said(model, strings) {
  const root = element("p", { "aria-live": "polite" });
  return { root, show: () => void (root.textContent = sentence(model, strings)) };
}

/** @param {Model} model @param {Strings} strings */
function sentence(model, strings) {
  const { tau, diversity, accuracy } = model.get("points")[model.get("at")];
  /** @type {Record<string, number>} */
  const numbers = {
    tau, diversity: diversity[0], diversity_low: diversity[1], diversity_high: diversity[2],
    accuracy: accuracy[0], accuracy_low: accuracy[1], accuracy_high: accuracy[2],
    true_diversity: model.get("truth").diversity, true_accuracy: model.get("truth").accuracy,
  };
  return fill(strings.point, Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, fixed(number, 2)])));
}

/** What was written, the most frequent first. @param {Model} model @param {Strings} strings */
function texts(model, strings) {
  const list = element("ul", { class: "mm-texts", role: "list" });
  return {
    root: list,
    show() {
      const { shown, more } = model.get("texts")[model.get("at")][model.get("prompt")];
      list.replaceChildren(
        ...shown.map((/** @type {[string, number, boolean]} */ [text, count, right]) =>
          element("li", { "data-right": String(right) }, element("span", { class: "mm-times" }, fill(strings.times, { n: count })), " ",
            element("span", {}, text), " ", element("span", { class: "mm-verdict" }, `${right ? "✓" : "✗"} ${right ? strings.right : strings.wrong}`))),
        ...(more ? [element("li", { class: "mm-rest" }, fill(strings.more, { n: more }))] : []));
    },
  };
}
