// @ts-check
/**
 * The cost explorer: the triangle of recomputed positions, FLOPs with and without a cache, and the cache in memory.
 *
 * State (see cost_explorer.py): `lang`, `strings`, `models`, `devices`; `model`, `prompt_length`, `n`, `batch`, `bytes`
 * and `device`, which the reader moves.
 */
import { change, element, fill, fixed, FOCUSABLE, percent, slider, uniqueId } from "./controls.js";
import { decodeFlops, decodePositions, kvCacheBytes, si } from "./cost.js";
import { oneOf, share } from "./url_state.js";

/** @typedef {import("./controls.js").Strings} Strings */
/** @typedef {import("./controls.js").Model} Model */
/** @typedef {{shape: import("./cost.js").Shape, L: number, n: number, batch: number, bytes: number, device: number}} View */

const GIB = 2 ** 30;

/** The stops of the lengths: powers of 2, and what lies halfway. */
export const LENGTHS = [1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192];
export const BATCHES = LENGTHS.filter((length) => length <= 1024);
export const BYTES = [4, 2, 1, 0.5];

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  /** @type {Strings} */
  const strings = model.get("strings");
  const readers = { model: oneOf(Object.keys(model.get("models"))), prompt_length: oneOf(LENGTHS), n: oneOf(LENGTHS), batch: oneOf(BATCHES), bytes: oneOf(BYTES), device: oneOf(model.get("devices")) };
  const link = share(model, readers, strings);
  const models = picker(model, "model", Object.keys(model.get("models")), String, strings);
  models.root.append(element("span", { class: "mm-actions" }, ...link));
  models.root.className = "mm-head";
  const choices = element("div", { class: "mm-knobs mm-lengths" });
  const memoryChoices = [
    picker(model, "bytes", BYTES, (bytes) => strings[`bytes_${String(bytes).replace(".", "_")}`], strings),
    picker(model, "device", model.get("devices"), (size) => fill(strings.gib, { n: size }), strings),
  ];
  const sliders = [lengthKnob(model, "prompt_length", LENGTHS, strings), lengthKnob(model, "n", LENGTHS, strings), lengthKnob(model, "batch", BATCHES, strings)];
  choices.append(...sliders.map((one) => one.root));
  const parts = [models, ...sliders, triangle(strings), table(strings), ...memoryChoices, memory(strings)];
  el.classList.add("mm-widget");
  el.lang = model.get("lang");
  const [, , , , work, sums, , , held] = parts.map((part) => part.root);
  const memoryHead = element("div", { class: "mm-pickers" }, ...memoryChoices.map((one) => one.root));
  el.append(element("div", { class: "mm-card", role: "group", "aria-label": strings.title }, models.root, choices, work, sums, memoryHead, held));
  const draw = () => {
    const [L, n, batch, bytes, device] = ["prompt_length", "n", "batch", "bytes", "device"].map((name) => model.get(name));
    for (const part of parts) part.show({ shape: model.get("models")[model.get("model")], L, n, batch, bytes, device });
  };
  const events = Object.keys(readers).map((name) => `change:${name}`);
  for (const event of events) model.on(event, draw);
  draw();
  return () => events.forEach((event) => model.off(event, draw));
}

export default { render };

/** A labelled list to choose from. @param {Model} model @param {string} name @param {any[]} values @param {(value: any) => string} say @param {Strings} strings */
function picker(model, name, values, say, strings) {
  const id = uniqueId();
  const select = element("select", { id, class: "mm-select", ...FOCUSABLE }, ...values.map((value, i) => element("option", { value: i }, say(value))));
  select.addEventListener("change", () => change(model, { [name]: values[Number(select.value)] }));
  return {
    root: element("div", { class: "mm-pick" }, element("label", { for: id }, strings[name]), select),
    /** @param {View} _view */
    show: (_view) => void (select.value = String(values.indexOf(model.get(name)))),
  };
}

/** @param {Model} model @param {string} name @param {number[]} stops @param {Strings} strings */
function lengthKnob(model, name, stops, strings) {
  const last = stops.length - 1;
  const { root, show } = slider({
    label: strings[name],
    stops: [0, last],
    ends: [String(stops[0]), String(stops[last])],
    valueAt: (stop) => stops[stop],
    stopOf: (value) => stops.indexOf(value),
    say: String,
    onMove: (value) => change(model, { [name]: value }),
  });
  return { root, show: (/** @type {View} */ _view) => show(model.get(name)) };
}

/** A row for each token written: what is read anew, and what a cache saves. @param {Strings} strings */
function triangle(strings) {
  const [again, fresh] = [element("i", { class: "mm-again" }), element("i", { class: "mm-fresh" })];
  const field = element("div", { class: "mm-triangle", role: "img" }, again, fresh);
  const text = element("p", {});
  return {
    root: element("div", { class: "mm-work" }, field, text),
    /** @param {View} view */
    show({ shape, L, n }) {
      const [wide, rows] = [L + n - 1, n];
      /** @param {number} x @param {number} y */
      const at = (x, y) => `${(100 * x) / wide}% ${(100 * y) / rows}%`;
      const steps = Array.from({ length: Math.min(n, 64) }, (_, i) => Math.round((i * n) / Math.min(n, 64)));
      const stairs = steps.flatMap((t, i) => [at(L + t, t), at(L + t, steps[i + 1] ?? n)]);
      const back = [...steps].reverse().flatMap((t, i) => [at(t ? L + t - 1 : 0, steps[steps.length - i] ?? n), at(t ? L + t - 1 : 0, t)]);
      again.style.clipPath = `polygon(0% 0%, ${stairs.join(", ")}, 0% 100%)`;
      fresh.style.clipPath = `polygon(0% 0%, ${stairs.join(", ")}, ${back.join(", ")})`;
      const [all, few] = [decodePositions(L, n, false), decodePositions(L, n, true)];
      text.textContent = fill(strings.positions, { all: si(all), few: si(few), ratio: fixed(all / few, 1) });
      field.setAttribute("aria-label", text.textContent);
      if (shape.positions && few > shape.positions) text.append(` ${fill(strings.beyond, { most: shape.positions })}`);
    },
  };
}

/** FLOPs, by where they are spent. @param {Strings} strings */
function table(strings) {
  const names = ["linear", "attention", "total"];
  const cells = names.map(() => [element("td"), element("td")]);
  const heads = ["flops", "without", "with"].map((name) => element("th", { scope: "col" }, strings[name]));
  const rows = names.map((name, i) => element("tr", {}, element("th", { scope: "row" }, strings[name]), ...cells[i]));
  return {
    root: element("table", { class: "mm-table" }, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)),
    /** @param {View} view */
    show({ shape, L, n }) {
      [false, true].forEach((cached, column) => {
        const { linear, attention } = decodeFlops(shape, L, n, cached);
        [linear, attention, linear + attention].forEach((flops, i) => void (cells[i][column].textContent = si(flops)));
      });
    },
  };
}

/** Weights and cache against the memory of a device. @param {Strings} strings */
function memory(strings) {
  const [weights, cache] = [element("i", { class: "mm-weights" }), element("i", { class: "mm-cache" })];
  const text = element("p", { "aria-live": "polite" });
  return {
    root: element("div", { class: "mm-memory" }, element("div", { class: "mm-tank", "aria-hidden": "true" }, weights, cache), text),
    /** @param {View} view */
    show({ shape, L, n, batch, bytes, device }) {
      const length = decodePositions(L, n, true); // what was read is what is kept
      const [still, kept, room] = [shape.num_parameters * bytes, kvCacheBytes(shape, batch, length, bytes), device * GIB];
      const scale = Math.max(room, still + kept);
      weights.style.width = `${(100 * still) / scale}%`;
      cache.style.width = `${(100 * kept) / scale}%`;
      /** @type {HTMLElement} */ (weights.parentElement).style.setProperty("--mm-room", `${(100 * room) / scale}%`);
      const said = { weights: gib(still), cache: gib(kept), batch, length, device: gib(room), share: percent(Math.min(1, (still + kept) / room), strings) };
      text.textContent = fill(still + kept <= room ? strings.fits : strings.too_big, said);
    },
  };
}

/** @param {number} bytes */
function gib(bytes) {
  return bytes < GIB ? `${fixed(bytes / 2 ** 20, 1)} MiB` : `${fixed(bytes / GIB, 1)} GiB`;
}
