// @ts-check
/**
 * The distribution explorer: a prompt's next-word distribution under every knob of a sampler.
 *
 * State (see distribution_explorer.py): `lang`, `strings`, `words`, `cases`; `case`, `penalty`, `tau`, `k`, `p`,
 * `min_p`, which the reader moves, and `start`, where these and `broken` stood at first; `live`, `knob` and `answer`,
 * where a student's own function takes the place of one step; a `note` to show; a `pitfall`, and whether it is `broken`
 * now.
 */
import { descending } from "./sampling.js";
import { outcomeOf, pipeline } from "./pipeline.js";
import { brokenOutcome, damage } from "./pitfalls.js";
import { change, element, fill, fixed, FOCUSABLE, percent, slider, uniqueId } from "./controls.js";
import { chart } from "./bars.js";
import { numberIn, oneOf, orOff, share, wholeIn } from "./url_state.js";

/** @typedef {import("./pipeline.js").Outcome} Outcome */
/** @typedef {import("./pipeline.js").Settings} Settings */
/** @typedef {import("./controls.js").Strings} Strings */
/** @typedef {import("./controls.js").Model} Model */
/**
 * @typedef {object} View  what to show at the present setting
 * @property {Outcome | null} outcome  null: the student's function has not answered, or not with logits
 * @property {Outcome | null} [wrong]  what the broken sampler makes of it; null where it leaves nothing
 * @property {string} [problem]
 */

/** The temperatures that the slider stops at: near enough to a log scale, each a number to remember. */
export const TAUS = [
  ...hundredths(5, 50, 1),
  ...hundredths(50, 100, 2),
  ...hundredths(100, 200, 5),
  ...hundredths(200, 501, 10),
];

/** Every knob off: the model's own distribution. */
export const OFF = { penalty: 1, tau: 1, k: null, p: 1, min_p: 0 };

/** The step that each knob sets. @type {Record<string, string>} */
const STEP_OF = { penalty: "penalty", tau: "temperature", k: "top-k", p: "top-p", min_p: "min-p" };

/** How long the reader must leave the knobs alone before a screen reader is told the outcome, in ms. */
const PAUSE = 500;

/**
 * What comes out at the present setting: by our own steps, one of them replaced by the student's answer.
 * @param {Model} model
 * @returns {View}
 */
export function look(model) {
  const { logits, seen } = caseOf(model);
  const settings = settingsOf(model);
  const steps = pipeline(settings, seen);
  if (!model.get("live")) {
    const right = outcomeOf(logits, steps);
    return model.get("broken") ? { outcome: right, wrong: brokenOutcome(model.get("pitfall"), logits, settings, seen) } : { outcome: right };
  }
  const { asked, problem, logits: answered } = model.get("answer");
  if (!asked || Object.entries(asked).some(([name, value]) => model.get(name) !== value)) return { outcome: null };
  if (problem) return { outcome: null, problem };
  const theirs = answered.map(orForbidden);
  return { outcome: outcomeOf(logits, steps.map(([name, step]) => [name, name === STEP_OF[model.get("knob")] ? () => theirs : step])) };
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
  const parts = [picker, knobs, ...(model.get("pitfall") ? [pitfall] : []), notice, bars, facts, summary].map((part) => part(model, strings));
  el.classList.add("mm-widget");
  el.lang = model.get("lang");
  el.append(element("div", { class: "mm-card", role: "group", "aria-label": strings.title }, ...parts.map((part) => part.root)));
  const draw = () => {
    const view = look(model);
    for (const part of parts) part.show(view);
  };
  const events = ["case", ...Object.keys(OFF), "answer", "broken"].map((name) => `change:${name}`);
  for (const event of events) model.on(event, draw);
  draw();
  return () => events.forEach((event) => model.off(event, draw));
}

export default { render };

/** The prompt, and the way back to where the widget's author had it start. @param {Model} model @param {Strings} strings */
function picker(model, strings) {
  const id = uniqueId();
  /** @type {{prompt: string}[]} */
  const cases = model.get("cases");
  const size = model.get("words").length;
  const link = share(model, {
    case: wholeIn(0, cases.length - 1),
    penalty: numberIn(1, 2),
    tau: numberIn(TAUS[0], TAUS[TAUS.length - 1]),
    k: orOff(wholeIn(1, size)),
    p: numberIn(0.05, 1),
    min_p: numberIn(0, 1),
    ...(model.get("pitfall") && { broken: oneOf([true, false]) }),
  }, strings);
  const options = cases.map(({ prompt }, i) => element("option", { value: i }, `${prompt} …`));
  const select = element("select", { id, class: "mm-select", ...FOCUSABLE }, ...options);
  const reset = element("button", { type: "button", class: "mm-button", ...FOCUSABLE }, strings.reset);
  select.addEventListener("change", () => change(model, { case: Number(select.value) }));
  reset.addEventListener("click", () => change(model, model.get("start")));
  return {
    root: element("div", { class: "mm-head" }, element("label", { for: id }, strings.prompt), select, element("span", { class: "mm-actions" }, reset, ...link)),
    show: () => void (select.value = model.get("case")),
  };
}

/** The knobs, in the order of their steps. @param {Model} model @param {Strings} strings */
function knobs(model, strings) {
  /** @param {string} name @param {string} label */
  const named = (name, label) => (model.get("live") && model.get("knob") === name ? `${label} · ${strings.yours}` : label);
  /** @type {Record<string, {root: HTMLElement, show: (value: any) => void}>} */
  const made = {
    penalty: numberKnob(model, "penalty", named("penalty", strings.penalty), 1, 2, 0.05),
    tau: tauKnob(model, named("tau", strings.temperature), strings),
    k: kKnob(model, named("k", strings.top_k), strings),
    p: numberKnob(model, "p", named("p", strings.top_p), 0.05, 1, 0.01),
    min_p: numberKnob(model, "min_p", named("min_p", strings.min_p), 0, 1, 0.01),
  };
  return {
    root: element("div", { class: "mm-knobs" }, ...Object.values(made).map((one) => one.root)),
    show: () => Object.entries(made).forEach(([name, one]) => one.show(model.get(name))),
  };
}

/** @param {Model} model @param {string} label @param {Strings} strings */
function tauKnob(model, label, strings) {
  return slider({
    label,
    stops: [0, TAUS.length - 1],
    ends: [`${TAUS[0]} ${strings.sharper}`, `${strings.flatter} ${TAUS[TAUS.length - 1]}`],
    mark: { stop: TAUS.indexOf(1), text: "1" },
    valueAt: (stop) => TAUS[stop],
    stopOf: stopOfTau,
    say: (tau) => tau.toFixed(2),
    onMove: (tau) => change(model, { tau }),
  });
}

/** @param {Model} model @param {string} label @param {Strings} strings */
function kKnob(model, label, strings) {
  /** @type {number} */
  const size = model.get("words").length;
  return slider({
    label,
    stops: [1, size],
    ends: ["1", String(size)],
    valueAt: (stop) => (stop === size ? null : stop),
    stopOf: (k) => Math.min(k ?? size, size),
    say: (k) => (k === null || k >= size ? fill(strings.all, { size }) : String(k)),
    onMove: (k) => change(model, { k }),
  });
}

/** A knob whose stops are evenly spaced. @param {Model} model @param {string} name @param {string} label @param {number} low @param {number} high @param {number} by */
function numberKnob(model, name, label, low, high, by) {
  return slider({
    label,
    stops: [Math.round(low / by), Math.round(high / by)],
    ends: [String(low), String(high)],
    valueAt: (stop) => Math.round(100 * stop * by) / 100,
    stopOf: (value) => Math.round(value / by),
    say: (value) => value.toFixed(2),
    onMove: (value) => change(model, { [name]: value }),
  });
}

/** The switch that breaks the sampler, what is wrong with it, and how much that matters here. @param {Model} model @param {Strings} strings */
function pitfall(model, strings) {
  const button = element("button", { type: "button", role: "switch", class: "mm-switch", ...FOCUSABLE }, strings.break_it);
  const harm = element("p", { class: "mm-harm" });
  const what = element("p", {}, strings[`pitfall_${model.get("pitfall").replaceAll("-", "_")}`]);
  button.addEventListener("click", () => change(model, { broken: !model.get("broken") }));
  return {
    root: element("div", { class: "mm-pitfall" }, button, what, harm),
    /** @param {View} view */
    show(view) {
      button.setAttribute("aria-checked", String(model.get("broken")));
      harm.textContent = harmOf(view, strings);
    },
  };
}

/** The damage in a sentence. @param {View} view @param {Strings} strings */
function harmOf({ outcome, wrong }, strings) {
  if (!outcome || wrong === undefined) return "";
  return wrong ? fill(strings.harm, { share: percent(damage(outcome.after, wrong.after), strings) }) : strings.harm_nothing_left;
}

/** What a student should know: an error of their function, or that it has not answered. @param {Model} model @param {Strings} strings */
function notice(model, strings) {
  const root = element("p", { class: "mm-notice", role: "status" });
  let timer = 0;
  return {
    root,
    /** @param {View} view */
    show({ outcome, problem }) {
      clearTimeout(timer);
      if (!outcome && !problem) timer = setTimeout(() => void (root.textContent = strings.waiting), PAUSE);
      else root.textContent = problem ?? model.get("note");
    },
  };
}

/** The bars. @param {Model} model @param {Strings} strings */
function bars(model, strings) {
  const { root, build, show } = chart(model.get("words"), strings, Boolean(model.get("pitfall")));
  let built = -1;
  return {
    root,
    /** @param {View} view */
    show({ outcome, wrong, problem }) {
      root.hidden = Boolean(problem); // while the function thinks, the last bars stay
      if (!outcome) return;
      const { prompt, logits, seen } = caseOf(model);
      if (built !== model.get("case")) build(prompt, logits);
      built = model.get("case");
      show({ outcome, wrong, penalized: model.get("penalty") === 1 ? [] : seen });
    },
  };
}

/** The numbers under the bars. @param {Model} model @param {Strings} strings */
function facts(model, strings) {
  const cells = ["entropy", "kept", "mass", "top"].map((name) => [element("span", {}, strings[name]), element("b"), element("span"), element("span", { class: "mm-wrongly" })]);
  const root = element("ul", { class: "mm-facts", role: "list" }, ...cells.map((cell) => element("li", {}, ...cell)));
  return {
    root,
    /** @param {View} view */
    show({ outcome, wrong, problem }) {
      root.hidden = Boolean(problem);
      if (!outcome) return;
      const said = figures(outcome, model, strings);
      const texts = [[said.bits, said.nats], [said.kept, said.size], [said.mass, strings.before], [said.word, said.share]];
      const bad = wrong && figures(wrong, model, strings);
      const worse = bad ? [bad.bits, bad.kept, bad.mass, `${bad.word} ${bad.share}`] : texts.map(() => "NaN");
      texts.forEach((pair, i) => {
        pair.forEach((text, j) => void (cells[i][j + 1].textContent = text));
        cells[i][3].textContent = wrong === undefined ? "" : `${strings.broken} ${worse[i]}`;
      });
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
    show(view) {
      clearTimeout(timer);
      const { outcome } = view;
      const say = () => void (root.textContent = `${fill(strings.summary, figures(/** @type {Outcome} */ (outcome), model, strings))} ${harmOf(view, strings)}`.trim());
      if (outcome && !first) timer = setTimeout(say, PAUSE);
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

/** @param {Model} model @returns {{prompt: string, logits: number[], seen: number[]}} */
function caseOf(model) {
  const { prompt, logits, seen } = model.get("cases")[model.get("case")];
  return { prompt, logits: logits.map(orForbidden), seen };
}

/** @param {Model} model @returns {Settings} */
function settingsOf(model) {
  return /** @type {Settings} */ (Object.fromEntries(Object.keys(OFF).map((name) => [name, model.get(name)])));
}

/** JSON has no -Infinity: null stands for it. @param {number | null} logit */
function orForbidden(logit) {
  return logit ?? -Infinity;
}

/** @param {number} from @param {number} to @param {number} by */
function hundredths(from, to, by) {
  return Array.from({ length: Math.ceil((to - from) / by) }, (_, i) => (from + i * by) / 100);
}
