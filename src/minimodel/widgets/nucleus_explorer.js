// @ts-check
/**
 * The nucleus explorer: probabilities from the likeliest down, their running sum, and a line at p to drag.
 *
 * State (see nucleus_explorer.py): `lang`, `strings`, `presets`; `choice`, `own`, `p` and `k`, which the reader moves.
 */
import { change, element, fill, fixed, FOCUSABLE, slider, uniqueId } from "./controls.js";
import { cut, MOST, probsOf } from "./nucleus.js";
import { numberIn, oneOf, share, wholeIn } from "./url_state.js";

/** @typedef {import("./controls.js").Strings} Strings */
/** @typedef {import("./controls.js").Model} Model */
/** @typedef {{probs: number[], cut: import("./nucleus.js").Cut, p: number, k: number}} View */

const LEAST = 0.01;

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  /** @type {Strings} */
  const strings = model.get("strings");
  const parts = [head, ownField, plot, knob, said].map((part) => part(model, strings));
  el.classList.add("mm-widget");
  el.lang = model.get("lang");
  el.append(element("div", { class: "mm-card", role: "group", "aria-label": strings.title }, ...parts.map((part) => part.root)));
  const draw = () => {
    const chosen = model.get("choice");
    const probs = chosen === "own" ? probsOf(model.get("own")) : model.get("presets")[chosen];
    const [p, k] = [model.get("p"), model.get("k")];
    for (const part of parts) part.show(probs && { probs, cut: cut(probs, p, k), p, k });
  };
  const events = ["choice", "own", "p", "k"].map((name) => `change:${name}`);
  for (const event of events) model.on(event, draw);
  draw();
  return () => events.forEach((event) => model.off(event, draw));
}

export default { render };

/** Which distribution. @param {Model} model @param {Strings} strings */
function head(model, strings) {
  const id = uniqueId();
  const choices = [...Object.keys(model.get("presets")), "own"];
  const link = share(model, {
    choice: oneOf(choices),
    own: (text) => (probsOf(text) ? text : undefined),
    p: numberIn(LEAST, 1),
    k: wholeIn(1, MOST),
  }, strings);
  const select = element("select", { id, class: "mm-select", ...FOCUSABLE },
    ...choices.map((name) => element("option", { value: name }, strings[`choice_${name}`])));
  select.addEventListener("change", () => change(model, { choice: select.value }));
  return {
    root: element("div", { class: "mm-head" }, element("label", { for: id }, strings.choice), select, element("span", { class: "mm-actions" }, ...link)),
    show: () => void (select.value = model.get("choice")),
  };
}

/** The reader's own numbers. @param {Model} model @param {Strings} strings */
function ownField(model, strings) {
  const [id, hint] = [uniqueId(), uniqueId()];
  const input = element("input", { id, class: "mm-field", autocomplete: "off", "aria-describedby": hint, ...FOCUSABLE });
  const problem = element("p", { id: hint, class: "mm-hint", role: "status" });
  const root = element("div", { class: "mm-own" }, element("label", { for: id }, strings.own), input, problem);
  input.addEventListener("input", () => change(model, { own: input.value }));
  return {
    root,
    /** @param {View | null} view */
    show(view) {
      root.hidden = model.get("choice") !== "own";
      if (input.value !== model.get("own")) input.value = model.get("own");
      input.setAttribute("aria-invalid", String(!view));
      problem.textContent = fill(view ? strings.own_hint : strings.own_problem, { most: MOST });
    },
  };
}

/** The bars, their running sum, and the line. @param {Model} model @param {Strings} strings */
function plot(model, strings) {
  const list = element("ol", { class: "mm-columns", role: "list", "aria-label": strings.plot });
  const handle = element("div", { class: "mm-p-line", role: "slider", tabindex: 0, "aria-label": strings.line, "aria-orientation": "vertical", "aria-valuemin": LEAST, "aria-valuemax": 1, ...FOCUSABLE }, element("b"));
  const area = element("div", { class: "mm-plot" }, list, handle);
  /** @param {number} p */
  const move = (p) => change(model, { p: Math.min(1, Math.max(LEAST, Math.round(100 * p) / 100)) });
  handle.addEventListener("keydown", (event) => {
    const p = model.get("p");
    /** @type {Record<string, number>} */
    const to = { ArrowUp: p + 0.01, ArrowRight: p + 0.01, ArrowDown: p - 0.01, ArrowLeft: p - 0.01, PageUp: p + 0.1, PageDown: p - 0.1, Home: LEAST, End: 1 };
    if (!(event.key in to)) return;
    event.preventDefault();
    move(to[event.key]);
  });
  handle.addEventListener("pointerdown", (event) => handle.setPointerCapture(event.pointerId));
  handle.addEventListener("pointermove", (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return;
    const { bottom, height } = list.getBoundingClientRect();
    move((bottom - event.clientY) / height);
  });
  return {
    root: element("div", { class: "mm-nucleus" }, area, element("p", { class: "mm-key" }, strings.key)),
    /** @param {View | null} view */
    show(view) {
      area.hidden = !view;
      if (!view) return;
      list.replaceChildren(...view.cut.order.map((id, i) => column(id, i, view, strings)));
      handle.style.bottom = `${100 * view.p}%`;
      handle.setAttribute("aria-valuenow", String(view.p));
      handle.setAttribute("aria-valuetext", fill(strings.line_says, { p: view.p.toFixed(2), n: view.cut.nucleus, size: view.probs.length }));
      /** @type {HTMLElement} */ (handle.firstChild).textContent = `p = ${view.p.toFixed(2)}`;
    },
  };
}

/** One token: its bar, the sum so far, and who keeps it. @param {number} id @param {number} i  its place @param {View} view @param {Strings} strings */
function column(id, i, { probs, cut: { mass, nucleus, top } }, strings) {
  const [bar, sum] = [element("i", { class: i < nucleus ? "mm-in" : "mm-out" }), element("i", { class: "mm-sum" })];
  bar.style.height = `${100 * probs[id]}%`;
  sum.style.bottom = `${100 * (mass[i] - probs[id])}%`;
  sum.style.height = `${100 * probs[id]}%`;
  const kept = [i < nucleus, i < top].map((yes) => element("span", { class: yes ? "mm-yes" : "mm-no" }, yes ? "✓" : "·"));
  const words = element("span", { class: "mm-unseen" }, fill(strings.column, { id, prob: fixed(probs[id], 3), sum: fixed(mass[i], 3) }));
  return element("li", {}, words, bar, sum, element("span", { class: "mm-marks", "aria-hidden": "true" }, element("b", {}, String(id)), ...kept));
}

/** @param {Model} model @param {Strings} strings */
function knob(model, strings) {
  const k = slider({
    label: strings.top_k,
    stops: [1, MOST],
    ends: ["1", String(MOST)],
    valueAt: (stop) => stop,
    stopOf: (value) => value,
    say: String,
    onMove: (value) => change(model, { k: value }),
  });
  return { root: k.root, show: () => k.show(model.get("k")) };
}

/** Both cuts in words, which is also what a screen reader hears. @param {Model} _model @param {Strings} strings */
function said(_model, strings) {
  const root = element("div", { class: "mm-said", "aria-live": "polite" });
  return {
    root,
    /** @param {View | null} view */
    show: (view) => root.replaceChildren(...(view ? sentences(view, strings) : []).map((text) => element("p", {}, text))),
  };
}

/** @param {View} view @param {Strings} strings */
function sentences({ cut: { order, mass, nucleus, top }, p, k }, strings) {
  const text = nucleus === order.length ? strings.keeps_all : strings.nucleus;
  return [
    fill(text, { p: p.toFixed(2), n: nucleus, size: order.length, mass: fixed(mass[nucleus - 1], 3), last: order[nucleus - 1], before: fixed(nucleus > 1 ? mass[nucleus - 2] : 0, 3) }),
    fill(strings.top, { k, n: top, size: order.length, mass: fixed(mass[top - 1], 3) }),
  ];
}
