// @ts-check
/**
 * The distribution explorer: a prompt's next-word distribution under temperature, top-k and top-p.
 *
 * State (see distribution_explorer.py): `lang`, `strings`, `words`, `cases`; `case`, `tau`, `k`, `p`, which the reader
 * moves; `live` and `answer`, where a student's own function takes the place of `applyTemperature`; a `note` to show.
 */
import { applyTemperature, descending, truncate } from "./sampling.js";
import { element, fill, fixed, FOCUSABLE, percent, slider, uniqueId } from "./controls.js";

/** @typedef {import("./sampling.js").Outcome} Outcome */
/** @typedef {import("./controls.js").Strings} Strings */
/** @typedef {import("./controls.js").Model} Model */
/** @typedef {number[] | {problem: string} | "waiting"} Tempered  the logits after temperature, or why there are none */
/** @typedef {{tempered: Tempered, outcome: Outcome | null}} View */

/** How many words get a bar of their own; the rest share one. */
export const BARS = 20;

/** The temperatures that the slider stops at: near enough to a log scale, each a number to remember. */
export const TAUS = [
  ...hundredths(5, 50, 1),
  ...hundredths(50, 100, 2),
  ...hundredths(100, 200, 5),
  ...hundredths(200, 501, 10),
];

/** Every knob off: the model's own distribution. */
const OFF = { tau: 1, k: null, p: 1 };

/** How long the reader must leave the knobs alone before a screen reader is told the outcome, in ms. */
const PAUSE = 500;

/**
 * The logits after temperature: our own division, or what the student's function answered for this very setting.
 * @param {Model} model
 * @returns {Tempered}
 */
export function temper(model) {
  if (!model.get("live")) return applyTemperature(logitsOf(model), model.get("tau"));
  const answer = model.get("answer");
  if (answer.case !== model.get("case") || answer.tau !== model.get("tau")) return "waiting";
  return answer.problem ? { problem: answer.problem } : answer.logits.map(orForbidden);
}

/**
 * What one bar shows, for one word or for all those that share the last bar.
 * @param {Outcome} outcome
 * @param {number[]} ids
 */
export function bar(outcome, ids) {
  /** @param {number[]} probs @param {string} fate */
  const mass = (probs, fate) => ids.reduce((total, id) => total + (outcome.fates[id] === fate ? probs[id] : 0), 0);
  const fates = new Set(ids.map((id) => outcome.fates[id]));
  if (fates.size > 1) fates.delete("masked"); // an impossible word among others is no news
  return {
    fate: fates.size === 1 ? [...fates][0] : fates.has("kept") ? "partly" : "both",
    after: mass(outcome.after, "kept"),
    before: mass(outcome.before, "kept"),
    topK: mass(outcome.before, "top-k"),
    topP: mass(outcome.before, "top-p"),
  };
}

/**
 * The stop nearest to a temperature.
 * @param {number} tau
 */
export function stopOfTau(tau) {
  return TAUS.reduce((best, stop, i) => (Math.abs(stop - tau) < Math.abs(TAUS[best] - tau) ? i : best), 0);
}

/** @param {{model: Model, el: HTMLElement}} context */
function render({ model, el }) {
  /** @type {Strings} */
  const strings = model.get("strings");
  const parts = [picker, knobs, notice, chart, facts, summary].map((part) => part(model, strings));
  el.classList.add("mm-widget");
  el.lang = model.get("lang");
  el.append(element("div", { class: "mm-card", role: "group", "aria-label": strings.title }, ...parts.map((part) => part.root)));
  const draw = () => {
    const tempered = temper(model);
    const outcome = Array.isArray(tempered) ? truncate(tempered, { k: model.get("k"), p: model.get("p") }) : null;
    for (const part of parts) part.show({ tempered, outcome });
  };
  const events = ["case", "tau", "k", "p", "answer"].map((name) => `change:${name}`);
  for (const event of events) model.on(event, draw);
  draw();
  return () => events.forEach((event) => model.off(event, draw));
}

export default { render };

/** The prompt, and the way back to the model's own distribution. @param {Model} model @param {Strings} strings */
function picker(model, strings) {
  const id = uniqueId();
  /** @type {{prompt: string}[]} */
  const cases = model.get("cases");
  const options = cases.map(({ prompt }, i) => element("option", { value: i }, `${prompt} …`));
  const select = element("select", { id, class: "mm-select", ...FOCUSABLE }, ...options);
  const reset = element("button", { type: "button", class: "mm-button", ...FOCUSABLE }, strings.reset);
  select.addEventListener("change", () => change(model, { case: Number(select.value) }));
  reset.addEventListener("click", () => change(model, OFF));
  return {
    root: element("div", { class: "mm-head" }, element("label", { for: id }, strings.prompt), select, reset),
    show: () => void (select.value = model.get("case")),
  };
}

/** @param {Model} model @param {Strings} strings */
function knobs(model, strings) {
  const made = { tau: tauKnob(model, strings), k: kKnob(model, strings), p: pKnob(model, strings) };
  return {
    root: element("div", { class: "mm-knobs" }, made.tau.root, made.k.root, made.p.root),
    show() {
      made.tau.show(model.get("tau"));
      made.k.show(model.get("k"));
      made.p.show(model.get("p"));
    },
  };
}

/** @param {Model} model @param {Strings} strings */
function tauKnob(model, strings) {
  return slider({
    label: strings.temperature,
    stops: [0, TAUS.length - 1],
    ends: [`${TAUS[0]} ${strings.sharper}`, `${strings.flatter} ${TAUS[TAUS.length - 1]}`],
    mark: { stop: TAUS.indexOf(1), text: "1" },
    valueAt: (stop) => TAUS[stop],
    stopOf: stopOfTau,
    say: (tau) => tau.toFixed(2),
    onMove: (tau) => change(model, { tau }),
  });
}

/** @param {Model} model @param {Strings} strings */
function kKnob(model, strings) {
  /** @type {number} */
  const size = model.get("words").length;
  return slider({
    label: strings.top_k,
    stops: [1, size],
    ends: ["1", String(size)],
    valueAt: (stop) => (stop === size ? null : stop),
    stopOf: (k) => Math.min(k ?? size, size),
    say: (k) => (k === null || k >= size ? fill(strings.all, { size }) : String(k)),
    onMove: (k) => change(model, { k }),
  });
}

/** @param {Model} model @param {Strings} strings */
function pKnob(model, strings) {
  return slider({
    label: strings.top_p,
    stops: [5, 100],
    ends: ["0.05", "1"],
    valueAt: (stop) => stop / 100,
    stopOf: (p) => Math.round(100 * p),
    say: (p) => p.toFixed(2),
    onMove: (p) => change(model, { p }),
  });
}

/** What a student should know: an error of their function, or that it has not answered. @param {Model} model @param {Strings} strings */
function notice(model, strings) {
  const root = element("p", { class: "mm-notice", role: "status" });
  let timer = 0;
  return {
    root,
    /** @param {View} view */
    show({ tempered }) {
      clearTimeout(timer);
      if (tempered === "waiting") timer = setTimeout(() => void (root.textContent = strings.waiting), PAUSE);
      else root.textContent = Array.isArray(tempered) ? model.get("note") : tempered.problem;
    },
  };
}

/** The bars, in the order of the logits, which temperature cannot change. @param {Model} model @param {Strings} strings */
function chart(model, strings) {
  const caption = element("p", { class: "mm-caption" });
  const list = element("ol", { class: "mm-bars", role: "list" });
  const root = element("div", { class: "mm-chart" }, caption, axis(strings), list, legend(strings));
  /** @type {ReturnType<typeof row>[]} */
  let rows = [];
  const build = () => {
    const order = descending(logitsOf(model));
    const groups = [...order.slice(0, BARS).map((id) => [id]), order.slice(BARS)].filter((ids) => ids.length);
    rows = groups.map((ids) => row(ids, model.get("words"), strings));
    caption.textContent = fill(strings.caption, { prompt: model.get("cases")[model.get("case")].prompt });
    list.setAttribute("aria-label", caption.textContent);
    list.replaceChildren(...rows.map((one) => one.root));
  };
  let built = -1;
  return {
    root,
    /** @param {View} view */
    show({ tempered, outcome }) {
      root.hidden = outcome === null && tempered !== "waiting"; // while the function thinks, the last bars stay
      if (!outcome) return;
      if (built !== model.get("case")) build();
      built = model.get("case");
      for (const one of rows) one.show(outcome);
    },
  };
}

/** One word's bar, or that of all the others together. @param {number[]} ids @param {string[]} words @param {Strings} strings */
function row(ids, words, strings) {
  const alone = ids.length === 1;
  const [kept, topK, topP, was] = ["kept", "top-k", "top-p", "was"].map((name) => element("i", { class: `mm-${name}` }));
  const word = element("span", { class: "mm-word" }, alone ? words[ids[0]] : fill(strings.others, { n: ids.length }));
  const value = element("span", { class: "mm-value" });
  const fate = element("span", { class: "mm-fate" });
  const track = element("span", { class: "mm-track" }, kept, topK, topP, was, fate);
  return {
    root: element("li", { "data-id": alone ? ids[0] : "others" }, word, " ", value, " ", track),
    /** @param {Outcome} outcome */
    show(outcome) {
      const shown = bar(outcome, ids);
      kept.style.width = `${100 * shown.after}%`;
      topK.style.width = `${100 * shown.topK}%`;
      topP.style.width = `${100 * shown.topP}%`;
      was.style.left = `${100 * shown.before}%`;
      was.hidden = shown.after - shown.before < 0.001;
      tell(value, fate, shown, strings);
    },
  };
}

/** A bar in words. @param {HTMLElement} value @param {HTMLElement} fate @param {ReturnType<typeof bar>} shown @param {Strings} strings */
function tell(value, fate, shown, strings) {
  const dropped = !["kept", "partly", "masked"].includes(shown.fate);
  const share = percent(dropped ? shown.topK + shown.topP : shown.after, strings);
  const text = strings[`fate_${shown.fate.replace("-", "_")}`];
  value.replaceChildren(dropped ? element("del", {}, share) : share);
  fate.replaceChildren(...(dropped ? [element("span", { class: "mm-unseen" }, `${strings.dropped_by} `)] : []), text);
  /** @type {HTMLElement} */ (value.parentElement).dataset.fate = shown.fate;
}

/** @param {Strings} strings */
function axis(strings) {
  const ticks = [0, 50, 100].map((n) => element("span", {}, fill(strings.percent, { n })));
  return element("div", { class: "mm-axis", "aria-hidden": "true" }, ...ticks);
}

/** @param {Strings} strings */
function legend(strings) {
  const keys = ["kept", "top-k", "top-p", "was"].map((name) =>
    element("li", {}, element("i", { class: `mm-${name}` }), strings[`legend_${name.replace("-", "_")}`]));
  return element("ul", { class: "mm-legend", role: "list" }, ...keys);
}

/** The numbers under the bars. @param {Model} model @param {Strings} strings */
function facts(model, strings) {
  /** @type {HTMLElement[][]} */
  const cells = ["entropy", "kept", "mass", "top"].map((name) =>
    [element("span", {}, strings[name]), element("b"), element("span")]);
  const root = element("ul", { class: "mm-facts", role: "list" }, ...cells.map((cell) => element("li", {}, ...cell)));
  return {
    root,
    /** @param {View} view */
    show({ tempered, outcome }) {
      root.hidden = outcome === null && tempered !== "waiting";
      if (!outcome) return;
      const said = figures(outcome, model, strings);
      const texts = [[said.bits, said.nats], [said.kept, said.size], [said.mass, strings.before], [said.word, said.share]];
      texts.forEach((pair, i) => pair.forEach((text, j) => void (cells[i][j + 1].textContent = text)));
    },
  };
}

/** The outcome in one sentence, for those who do not see the bars move. @param {Model} model @param {Strings} strings */
function summary(model, strings) {
  const root = element("p", { class: "mm-unseen", "aria-live": "polite" });
  let timer = 0;
  let first = true; // nobody has touched anything: nothing to announce
  return {
    root,
    /** @param {View} view */
    show({ outcome }) {
      clearTimeout(timer);
      if (outcome && !first) timer = setTimeout(() => void (root.textContent = fill(strings.summary, figures(outcome, model, strings))), PAUSE);
      first = false;
    },
  };
}

/** The numbers of an outcome as texts. @param {Outcome} outcome @param {Model} model @param {Strings} strings */
function figures(outcome, model, strings) {
  const [top] = descending(outcome.after);
  return {
    tau: model.get("tau").toFixed(2),
    bits: fill(strings.bits, { n: fixed(outcome.entropy / Math.LN2, 2) }),
    nats: fill(strings.nats, { n: fixed(outcome.entropy, 2) }),
    kept: String(outcome.kept),
    size: fill(strings.of, { size: outcome.fates.length }),
    mass: percent(outcome.massKept, strings),
    word: model.get("words")[top],
    share: percent(outcome.after[top], strings),
  };
}

/** @param {Model} model @param {Record<string, unknown>} values */
function change(model, values) {
  for (const [name, value] of Object.entries(values)) model.set(name, value);
  model.save_changes();
}

/** @param {Model} model @returns {number[]} */
function logitsOf(model) {
  return model.get("cases")[model.get("case")].logits.map(orForbidden);
}

/** JSON has no -Infinity: null stands for it. @param {number | null} logit */
function orForbidden(logit) {
  return logit ?? -Infinity;
}

/** @param {number} from @param {number} to @param {number} by */
function hundredths(from, to, by) {
  return Array.from({ length: Math.ceil((to - from) / by) }, (_, i) => (from + i * by) / 100);
}
