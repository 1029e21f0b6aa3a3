// @ts-check
/**
 * Four samplers side by side: one prompt, many seeds, and how varied and how right what comes out is.
 *
 * State (see four_samplers.py): `lang`, `strings`, `samplers` (a name and its knobs), `n`, `max_tokens`; `prompt` and
 * `seed`, the first of `n` seeds, which the reader changes.
 */
import { change, element, fill, fixed, FOCUSABLE } from "./controls.js";
import { decode } from "./decoding.js";
import { uniforms } from "./pcg64.js";
import { pageModel } from "./page_model.js";
import { promptField, promptIds, promptReader } from "./prompt_field.js";
import { share, wholeIn } from "./url_state.js";

/** @typedef {import("./controls.js").Model} Model */
/** @typedef {import("./controls.js").Strings} Strings */
/** @typedef {import("./page_model.js").PageModel} PageModel */
/** @typedef {import("./pipeline.js").Settings} Settings */
/** @typedef {import("./grammar_judge.js").Ruling} Ruling */
/** @typedef {Map<string, {ids: number[], count: number, ruling: Ruling}>} Tally  the completions of one sampler, each once */

/** How many completions are written out. */
const LISTED = 4;

/** How long the page computes before it lets others have their turn, in ms: half of what a frame has. */
const SLICE = 8;

/** @param {{model: Model, el: HTMLElement}} context */
async function render({ model, el }) {
  const page = await pageModel(model);
  /** @type {Strings} */
  const strings = model.get("strings");
  const compose = promptField(page, strings, (prompt) => change(model, { prompt }));
  const link = share(model, { prompt: promptReader(page), seed: wholeIn(0, Number.MAX_SAFE_INTEGER - model.get("n")) }, strings);
  const seeds = seedRow(model, link, strings);
  const panels = Object.entries(/** @type {Record<string, Settings>} */ (model.get("samplers"))).map(([name, settings]) =>
    ({ name, settings, ...panel(name, settings, page, strings) }));
  const said = element("p", { class: "mm-unseen", "aria-live": "polite" });
  let round = 0; // whoever changes something starts a new one, and the old one stops
  const run = async () => {
    const own = ++round;
    const [prompt, first, n] = [promptIds(page, model.get("prompt")), model.get("seed"), model.get("n")];
    compose.show(model.get("prompt"));
    /** @type {Tally[]} */
    const tallies = panels.map(() => new Map());
    let since = performance.now();
    for (let done = 0; done < n; done++) {
      panels.forEach(({ settings }, i) => count(tallies[i], prompt, complete(page, prompt, settings, first + done, model.get("max_tokens")), page));
      if (performance.now() - since < SLICE && done + 1 < n) continue;
      panels.forEach((one, i) => one.show(prompt, tallies[i], done + 1));
      seeds.show(done + 1);
      await new Promise((go) => setTimeout(go));
      if (own !== round) return;
      since = performance.now();
    }
    if (own > 1) said.textContent = panels.map((one) => one.said()).join(" ");
  };
  el.classList.add("mm-widget");
  el.lang = model.get("lang");
  el.append(element("div", { class: "mm-card", role: "group", "aria-label": strings.title }, compose.root, seeds.root,
    element("div", { class: "mm-panels" }, ...panels.map((one) => one.root)), said));
  const events = ["prompt", "seed"].map((name) => `change:${name}`);
  for (const event of events) model.on(event, run);
  void run();
  return () => {
    round = -1;
    events.forEach((event) => model.off(event, run));
  };
}

export default { render };

/** One completion. @param {PageModel} page @param {number[]} prompt @param {Settings} settings @param {number} seed @param {number} length */
function complete(page, prompt, settings, seed, length) {
  return [...decode(page.gpt, prompt, settings, { random: uniforms(seed), eos: page.eos, length })].map((draw) => draw.token);
}

/** @param {Tally} tally @param {number[]} prompt @param {number[]} ids @param {PageModel} page */
function count(tally, prompt, ids, page) {
  const key = ids.join();
  if (!tally.has(key)) tally.set(key, { ids, count: 0, ruling: page.grammar.judge(prompt, ids) });
  /** @type {{count: number}} */ (tally.get(key)).count += 1;
}

/** Which seeds, how far they have come, and the way to others. @param {Model} model @param {HTMLElement[]} link @param {Strings} strings */
function seedRow(model, link, strings) {
  const label = element("span");
  const bar = element("progress", { max: model.get("n"), "aria-label": strings.progress });
  const more = element("button", { type: "button", class: "mm-button", ...FOCUSABLE }, strings.new_seeds);
  more.addEventListener("click", () => change(model, { seed: model.get("seed") + model.get("n") }));
  return {
    root: element("div", { class: "mm-row mm-seeds" }, label, bar, more, ...link),
    /** @param {number} done */
    show(done) {
      const first = model.get("seed");
      label.textContent = fill(strings.seeds, { first, last: first + model.get("n") - 1 });
      bar.value = done;
    },
  };
}

/** @param {string} name @param {Settings} settings @param {PageModel} page @param {Strings} strings */
function panel(name, settings, page, strings) {
  const [distinct, right] = [meter("distinct", strings), meter("right", strings)];
  const list = element("ol", { role: "list" });
  return {
    root: element("section", { class: "mm-panel", "data-sampler": name }, element("p", { class: "mm-caption" }, strings[`sampler_${name}`]),
      element("p", { class: "mm-knob-values" }, valuesOf(settings)), distinct.root, right.root, list),
    /** @param {number[]} prompt @param {Tally} tally @param {number} done */
    show(prompt, tally, done) {
      const all = [...tally.values()];
      const judged = all.every(({ ruling }) => ruling !== "not_due" && ruling !== "no_sentence");
      distinct.show(all.length, done);
      right.show(judged ? all.reduce((total, one) => total + (one.ruling === "right" ? one.count : 0), 0) : null, done);
      const most = [...all].sort((a, b) => b.count - a.count).slice(0, LISTED); // stable: the earlier first among equals
      list.replaceChildren(...most.map((one) => {
        const text = page.spelled([...prompt, ...one.ids]).slice(prompt.length).join("").trim();
        return element("li", judged ? { "data-right": String(one.ruling === "right") } : {}, element("b", {}, fill(strings.times, { n: one.count })), " ", text,
          element("span", { class: "mm-unseen" }, ` (${strings[`ruling_${one.ruling}`]})`));
      }));
    },
    said: () => fill(strings.said, { sampler: strings[`sampler_${name}`], distinct: distinct.said(), right: right.said() }),
  };
}

/** The knobs that are on. @param {Settings} settings */
function valuesOf({ tau, k, p }) {
  return `τ = ${fixed(tau, 1)}${k === null ? "" : `, k = ${k}`}${p === 1 ? "" : `, p = ${p}`}`;
}

/** A count in words and as a bar. @param {string} name @param {Strings} strings */
function meter(name, strings) {
  const [text, bar] = [element("b"), element("i")];
  return {
    root: element("p", { class: `mm-meter mm-${name}` }, element("span", {}, strings[name]), " ", text, element("span", { "aria-hidden": "true" }, bar)),
    /** @param {number | null} count @param {number} all */
    show(count, all) {
      text.textContent = count === null ? strings.no_count : fill(strings.of_all, { count, all });
      bar.style.width = `${fixed((100 * (count ?? 0)) / all, 1)}%`;
    },
    said: () => text.textContent ?? "",
  };
}
