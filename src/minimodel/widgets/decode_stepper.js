// @ts-check
/**
 * The decode stepper and playground: the Mini-GPT writes a text in the page, one token at a time.
 *
 * State (see decode_stepper.py): `lang`, `strings`, `presets`, `max_tokens`; `prompt`, the knobs `penalty`, `tau`, `k`,
 * `p`, `min_p`, the `seed` and `steps`, how many tokens are written. The text is a function of these and nothing else:
 * whoever moves a knob sees what the same luck would have given.
 */
import { afterPress, change, element, fieldNotice, fill, fixed, FOCUSABLE, percent, slider, uniqueId } from "./controls.js";
import { descending } from "./sampling.js";
import { decode, nextToken } from "./decoding.js";
import { uniforms } from "./pcg64.js";
import { pageModel } from "./page_model.js";
import { promptField, promptIds, promptReader } from "./prompt_field.js";
import { numberIn, orOff, share, wholeIn } from "./url_state.js";

/** @typedef {import("./controls.js").Model} Model */
/** @typedef {import("./controls.js").Strings} Strings */
/** @typedef {import("./page_model.js").PageModel} PageModel */
/** @typedef {import("./decoding.js").Draw} Draw */
/** @typedef {import("./decoding.js").Outcome} Outcome */

/**
 * @typedef {object} View
 * @property {number[]} prompt
 * @property {Draw[]} draws  of the text so far
 * @property {boolean} ended  whether no more will come
 * @property {number} at  the step that is looked at; -1 where none was taken
 * @property {Outcome} outcome  of that step, or of the first
 */

/** How many words get a bar of their own; the rest share one. */
const ROWS = 8;

/** The least probability whose stretch of the line has room for its word. */
const WIDE = 0.15;

/** From one token to the next, in ms: slow enough to see the number fall, or as a chat does it. */
const PACE = { play: 1000, stream: 120 };

/** How long the reader must leave things alone before a screen reader is told, in ms. */
const PAUSE = 500;

const KNOBS = ["penalty", "tau", "k", "p", "min_p"];

/** @param {{model: Model, el: HTMLElement}} context */
async function render({ model, el }) {
  const page = await pageModel(model);
  /** @type {Strings} */
  const strings = model.get("strings");
  const link = share(model, {
    prompt: promptReader(page),
    penalty: numberIn(1, 3),
    tau: numberIn(0, 3),
    k: orOff(wholeIn(1, page.words.length)),
    p: numberIn(0.05, 1),
    min_p: numberIn(0, 1),
    seed: wholeIn(0, Number.MAX_SAFE_INTEGER),
    steps: wholeIn(0, model.get("max_tokens")),
  }, strings);
  const writer = textWriter(model, page);
  const pace = paced(model, writer);
  let looked = -1; // the step that the reader picked, until the text changes
  /** @param {number} at */
  const look = (at) => {
    looked = at;
    draw();
  };
  const compose = promptField(page, strings, (prompt) => change(model, { prompt, steps: 0 }));
  const parts = [
    { root: compose.root, show: () => compose.show(model.get("prompt")) },
    presets(model, strings),
    knobs(model, page, strings),
    buttons(model, pace, link, strings),
    text(model, page, strings, look),
    odds(page, strings),
    line(model, page, strings),
    summary(model, page, strings),
  ];
  const draw = () => {
    const written = writer();
    const at = looked >= 0 && looked < written.draws.length ? looked : written.draws.length - 1;
    const outcome = at >= 0 ? written.draws[at].outcome : nextToken(page.gpt, written.prompt, settingsOf(model));
    for (const part of parts) part.show({ ...written, at, outcome });
  };
  const redraw = () => {
    looked = -1;
    draw();
  };
  el.classList.add("mm-widget");
  el.lang = model.get("lang");
  el.append(element("div", { class: "mm-card", role: "group", "aria-label": strings.title }, ...parts.map((part) => part.root)));
  const events = ["prompt", "seed", "steps", ...KNOBS].map((name) => `change:${name}`);
  for (const event of events) model.on(event, redraw);
  pace.onChange(draw);
  draw();
  return () => {
    pace.set(null);
    events.forEach((event) => model.off(event, redraw));
  };
}

export default { render };

/** @param {Model} model @returns {import("./pipeline.js").Settings} */
function settingsOf(model) {
  return /** @type {any} */ (Object.fromEntries(KNOBS.map((name) => [name, model.get(name)])));
}

/** The text so far, computed as far as it is asked for and begun again when a setting changes. @param {Model} model @param {PageModel} page */
function textWriter(model, page) {
  let key = "";
  /** @type {Draw[]} */
  let draws = [];
  /** @type {ReturnType<typeof decode>} */
  let source;
  return () => {
    const [prompt, settings, seed, length] = [promptIds(page, model.get("prompt")), settingsOf(model), model.get("seed"), model.get("max_tokens")];
    const now = JSON.stringify([prompt, settings, seed, length]);
    if (now !== key) {
      [key, draws] = [now, []];
      source = decode(page.gpt, prompt, settings, { random: uniforms(seed), eos: page.eos, length });
    }
    const steps = model.get("steps");
    while (draws.length < steps) {
      const { value, done } = source.next();
      if (done || !value) break;
      draws.push(value);
    }
    const shown = draws.slice(0, steps);
    return { prompt, draws: shown, ended: shown.length === length || shown[shown.length - 1]?.token === page.eos };
  };
}

/** What takes a step now and then, "play" or "stream", until the text ends. @param {Model} model @param {ReturnType<typeof textWriter>} writer */
function paced(model, writer) {
  /** @type {keyof typeof PACE | null} */
  let mode = null;
  let ticking = 0;
  let tell = () => {};
  const step = () => {
    const { draws, ended } = writer();
    if (!ended) change(model, { steps: draws.length + 1 });
    if (mode && writer().ended) set(null);
  };
  /** @param {keyof typeof PACE | null} next */
  const set = (next) => {
    clearInterval(ticking);
    mode = next && !writer().ended ? next : null;
    if (mode) ticking = setInterval(step, PACE[mode]);
    tell();
    if (mode) step();
  };
  return { step, set, mode: () => mode, onChange: (/** @type {() => void} */ listener) => void (tell = listener) };
}

/** @param {Model} model @param {Strings} strings */
function presets(model, strings) {
  /** @type {Record<string, Record<string, unknown>>} */
  const all = model.get("presets");
  const made = Object.entries(all).map(([name, preset]) => {
    const button = pressable(strings[`preset_${name}`], () => change(model, preset));
    return { button, preset };
  });
  return {
    root: element("div", { class: "mm-row", role: "group", "aria-label": strings.presets }, ...made.map(({ button }) => button)),
    show() {
      for (const { button, preset } of made) button.setAttribute("aria-pressed", String(KNOBS.every((name) => preset[name] === model.get(name))));
    },
  };
}

/** @param {Model} model @param {PageModel} page @param {Strings} strings */
function knobs(model, page, strings) {
  const size = page.words.length;
  /** A knob whose stops are parts of a whole. @param {string} name @param {string} label @param {[number, number]} ends @param {number} parts @param {(value: number) => string} [say] */
  const fraction = (name, label, ends, parts, say = (value) => value.toFixed(2)) => ({ name, ...slider({
    label,
    stops: [Math.round(ends[0] * parts), Math.round(ends[1] * parts)],
    ends: [String(ends[0]), String(ends[1])],
    valueAt: (stop) => stop / parts,
    stopOf: (value) => Math.round(value * parts),
    say,
    onMove: (value) => change(model, { [name]: value }),
  }) });
  const few = { name: "k", ...slider({
    label: strings.top_k,
    stops: [1, size],
    ends: ["1", String(size)],
    valueAt: (stop) => (stop === size ? null : stop),
    stopOf: (k) => Math.min(k ?? size, size),
    say: (k) => (k === null || k >= size ? fill(strings.all, { size }) : String(k)),
    onMove: (k) => change(model, { k }),
  }) };
  /** @param {number} none */
  const unless = (none) => (/** @type {number} */ value) => (value === none ? strings.off : value.toFixed(2));
  const made = [
    fraction("tau", strings.temperature, [0, 3], 20, (tau) => (tau === 0 ? strings.greedy : tau.toFixed(2))),
    few,
    fraction("p", strings.top_p, [0.05, 1], 100, unless(1)),
    fraction("min_p", strings.min_p, [0, 1], 100, unless(0)),
    fraction("penalty", strings.penalty, [1, 3], 20, unless(1)),
  ];
  const seed = seedField(model, strings);
  return {
    root: element("div", { class: "mm-knobs" }, ...made.map((one) => one.root), seed.root),
    show() {
      for (const one of made) /** @type {(value: any) => void} */ (one.show)(model.get(one.name));
      seed.show();
    },
  };
}

/** @param {Model} model @param {Strings} strings */
function seedField(model, strings) {
  const [least, most] = [0, Number.MAX_SAFE_INTEGER];
  const input = element("input", { id: uniqueId(), class: "mm-prompt", type: "number", min: least, max: most, step: 1, ...FOCUSABLE });
  const notice = fieldNotice(input);
  const settle = afterPress(input);
  /** @type {number | undefined} */
  let shown; // the seed that was taken last
  /** @param {number} seed */
  const take = (seed) => {
    shown = undefined;
    change(model, { seed });
    show();
  };
  const show = () => {
    if (model.get("seed") === shown) return; // what the reader is typing stays, and what was refused
    shown = model.get("seed");
    input.value = String(shown);
    settle(() => notice.say(""));
  };
  input.addEventListener("change", () => {
    if (input.value !== "" && input.validity.valid) take(input.valueAsNumber);
    else settle(() => notice.say(fill(strings.seed_range, { least, most })));
  });
  const another = pressable(strings.new_seed, () => take(Math.floor(1000 * Math.random())));
  return { root: element("div", { class: "mm-knob mm-seed" }, element("label", { for: input.id }, strings.seed), input, another, notice.root), show };
}

/** @param {Model} model @param {ReturnType<typeof paced>} pace @param {HTMLElement[]} link @param {Strings} strings */
function buttons(model, pace, link, strings) {
  const step = pressable(strings.do_step, () => {
    pace.set(null);
    pace.step();
  });
  /** @param {keyof typeof PACE} mode */
  const runner = (mode) => ({ mode, button: pressable(strings[`do_${mode}`], () => pace.set(pace.mode() === mode ? null : mode)) });
  const runners = [runner("play"), runner("stream")];
  const reset = pressable(strings.do_reset, () => {
    pace.set(null);
    change(model, { steps: 0 });
  });
  step.classList.add("mm-main");
  return {
    root: element("div", { class: "mm-row mm-transport" }, step, ...runners.map(({ button }) => button), reset, ...link),
    /** @param {View} view */
    show({ ended }) {
      for (const button of [step, ...runners.map((one) => one.button)]) button.setAttribute("aria-disabled", String(ended)); // keeps the focus
      for (const { mode, button } of runners) button.textContent = pace.mode() === mode ? strings.do_pause : strings[`do_${mode}`];
    },
  };
}

/** The text, each generated token a button that shows its step, and the verdict. @param {Model} model @param {PageModel} page @param {Strings} strings @param {(at: number) => void} look */
function text(model, page, strings, look) {
  const start = element("span");
  const tokens = element("span", { role: "group", "aria-label": strings.text });
  const verdict = element("p", { class: "mm-verdict" });
  return {
    root: element("div", { class: "mm-written" }, element("p", { class: "mm-text" }, start, tokens), verdict),
    /** @param {View} view */
    show({ prompt, draws, ended, at }) {
      const completion = draws.map((one) => one.token);
      const written = page.spelled([...prompt, ...completion]).slice(prompt.length);
      start.textContent = model.get("prompt");
      while (tokens.children.length > written.length) tokens.lastElementChild?.remove();
      written.forEach((word, i) => {
        const button = tokens.children[i] ?? tokens.appendChild(element("button", { type: "button", class: "mm-token", ...FOCUSABLE }));
        button.textContent = word;
        /** @type {HTMLElement} */ (button).onclick = () => look(i);
        button.setAttribute("aria-label", fill(strings.look, { n: i + 1, word: word.trim() }));
        button.setAttribute("aria-pressed", String(i === at));
      });
      const ruling = page.grammar.judge(prompt, completion);
      const why = !ended ? "" : completion[completion.length - 1] === page.eos ? ` ${strings.ended}` : ` ${fill(strings.limit, { n: completion.length })}`;
      verdict.dataset.ruling = ruling;
      verdict.textContent = strings[`ruling_${ruling}`] + why;
    },
  };
}

/** The likeliest words before anything was dropped, then all the others in one row. @param {PageModel} page @param {Strings} strings */
function odds(page, strings) {
  const caption = element("p", { class: "mm-caption" });
  const list = element("ol", { role: "list" });
  return {
    root: element("div", { class: "mm-odds" }, caption, list),
    /** @param {View} view */
    show({ outcome, draws, at }) {
      caption.textContent = at < 0 ? strings.next : fill(strings.step, { n: at + 1 });
      list.setAttribute("aria-label", caption.textContent);
      const order = descending(outcome.before);
      const rest = order.slice(ROWS);
      const token = draws[at]?.token;
      const likeliest = order.slice(0, ROWS).map((id) => wordRow(id, outcome, id === token, page, strings));
      list.replaceChildren(...likeliest, othersRow(rest, outcome, rest.includes(token), strings));
    },
  };
}

/** @param {number[]} ids @param {Outcome} outcome @param {boolean} drawn @param {Strings} strings */
function othersRow(ids, outcome, drawn, strings) {
  const fates = new Set(ids.map((id) => outcome.fates[id].replace("-", "_")));
  const kept = fates.has("kept");
  const step = kept || fates.size > 1 ? "" : fill(strings.dropped_by, { step: strings[`by_${[...fates][0]}`] });
  const probs = kept ? outcome.after : outcome.before;
  return oddsRow({
    id: "others",
    fate: kept ? "kept" : "dropped",
    word: fill(strings.others, { n: ids.length }),
    prob: ids.reduce((total, id) => total + probs[id], 0),
    tag: drawn ? strings.drawn : step,
    drawn,
  }, strings);
}

/** @param {number} id @param {Outcome} outcome @param {boolean} drawn @param {PageModel} page @param {Strings} strings */
function wordRow(id, outcome, drawn, page, strings) {
  const fate = outcome.fates[id].replace("-", "_");
  const kept = fate === "kept";
  const tag = drawn ? strings.drawn : kept ? "" : fill(strings.dropped_by, { step: strings[`by_${fate}`] });
  return oddsRow({ id, fate, word: page.words[id], prob: kept ? outcome.after[id] : outcome.before[id], tag, drawn }, strings);
}

/** @param {{id: number | string, fate: string, word: string, prob: number, tag: string, drawn: boolean}} one @param {Strings} strings */
function oddsRow({ id, fate, word, prob, tag, drawn }, strings) {
  const share = percent(prob, strings);
  return element("li", { "data-id": id, "data-fate": fate, "data-drawn": String(drawn) },
    element("span", {}, word), " ",
    element("span", {}, fate === "kept" ? share : element("del", {}, share)), " ",
    element("span", {}, element("i", { style: `width:${(100 * prob).toFixed(4)}%` }), element("em", {}, tag)));
}

/** The words that can be drawn, end to end, and the number that falls on one of them. @param {Model} model @param {PageModel} page @param {Strings} strings */
function line(model, page, strings) {
  const mark = element("b");
  const stretches = element("div", { class: "mm-line", "aria-hidden": "true" }, mark);
  const ends = element("div", { class: "mm-ends", "aria-hidden": "true" }, ...["0", "0.5", "1"].map((end) => element("span", {}, end)));
  const told = element("p", { class: "mm-fall" });
  return {
    root: element("div", { class: "mm-cdf" }, element("p", { class: "mm-caption" }, strings.cdf), stretches, ends, told),
    /** @param {View} view */
    show({ outcome, draws, at }) {
      const { token, u = null } = draws[at] ?? {};
      mark.hidden = u === null;
      if (u !== null) mark.style.left = `${(100 * u).toFixed(4)}%`;
      const parts = outcome.after.flatMap((prob, id) => (prob > 0 ? [element("i",
        { style: `width:${(100 * prob).toFixed(4)}%`, "data-drawn": String(id === token) }, prob >= WIDE ? page.words[id] : "")] : []));
      while (stretches.firstChild !== mark) stretches.firstChild?.remove(); // the mark stays, and glides
      mark.before(...parts);
      told.textContent = fallen(model, page, strings, outcome, draws[at]);
    },
  };
}

/** Where the number fell, in words. @param {Model} model @param {PageModel} page @param {Strings} strings @param {Outcome} outcome @param {Draw} [draw] */
function fallen(model, page, strings, outcome, draw) {
  if (model.get("tau") === 0) return strings.greedy_fall;
  if (!draw || draw.u === null) return strings.before_draw;
  /** @param {number} end */
  const upTo = (end) => fixed(outcome.after.slice(0, end).reduce((total, prob) => total + prob, 0), 4);
  return fill(strings.fall, { u: fixed(draw.u, 4), start: upTo(draw.token), end: upTo(draw.token + 1), word: page.words[draw.token] });
}

/** The last step in a sentence, for those who do not see it. @param {Model} model @param {PageModel} page @param {Strings} strings */
function summary(model, page, strings) {
  const root = element("p", { class: "mm-unseen", "aria-live": "polite" });
  let waiting = 0;
  let first = true; // nobody has touched anything: nothing to announce
  return {
    root,
    /** @param {View} view */
    show({ prompt, draws, outcome, at }) {
      clearTimeout(waiting);
      const completion = draws.map((one) => one.token);
      const fall = fallen(model, page, strings, outcome, draws[at]);
      const said = at < 0 ? fall : fill(strings.said, {
        n: at + 1, word: page.words[draws[at].token], fall, ruling: strings[`ruling_${page.grammar.judge(prompt, completion)}`],
      });
      if (!first) waiting = setTimeout(() => void (root.textContent = said), PAUSE);
      first = false;
    },
  };
}

/** @param {string} label @param {() => void} onClick */
function pressable(label, onClick) {
  const button = element("button", { type: "button", class: "mm-button", ...FOCUSABLE }, label);
  button.addEventListener("click", onClick);
  return button;
}
