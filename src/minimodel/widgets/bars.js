// @ts-check
/** The distribution as bars, a row for each word: what is kept, what each step dropped, and a broken sampler's beside it. */
import { descending } from "./sampling.js";
import { element, fill, percent } from "./controls.js";

/** @typedef {import("./pipeline.js").Outcome} Outcome */
/** @typedef {import("./controls.js").Strings} Strings */
/** @typedef {{outcome: Outcome, wrong?: Outcome | null, penalized: number[]}} Shown  `wrong`: undefined is off, null has no token left */

/** How many words get a bar of their own, or two bars where there is a pitfall; the rest share one. */
export const BARS = 20;
export const PAIRS = 10;

const DROPS = ["top-k", "top-p", "min-p"];

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
    fate: fates.size === 1 ? [...fates][0] : fates.has("kept") ? "partly" : "several",
    after: mass(outcome.after, "kept"),
    before: mass(outcome.before, "kept"),
    dropped: DROPS.map((step) => mass(outcome.before, step)),
  };
}

/**
 * The rows, in the order of the logits, which no step but the penalty can change.
 * @param {string[]} words
 * @param {Strings} strings
 * @param {boolean} breakable  whether there is a pitfall to show
 */
export function chart(words, strings, breakable) {
  const caption = element("p", { class: "mm-caption" });
  const list = element("ol", { class: "mm-bars", role: "list" });
  const root = element("div", { class: "mm-chart" }, caption, axis(strings), list, legend(strings, breakable));
  /** @type {ReturnType<typeof row>[]} */
  let rows = [];
  return {
    root,
    /** @param {string} prompt @param {number[]} logits */
    build(prompt, logits) {
      const order = descending(logits);
      const alone = breakable ? PAIRS : BARS;
      const groups = [...order.slice(0, alone).map((id) => [id]), order.slice(alone)].filter((ids) => ids.length);
      rows = groups.map((ids) => row(ids, words, strings));
      caption.textContent = fill(strings.caption, { prompt });
      list.setAttribute("aria-label", caption.textContent);
      list.replaceChildren(...rows.map((one) => one.root));
    },
    /** @param {Shown} shown */
    show(shown) {
      root.classList.toggle("mm-beside", shown.wrong !== undefined);
      for (const one of rows) one.show(shown);
    },
  };
}

/** One word's bar, or that of all the others together. @param {number[]} ids @param {string[]} words @param {Strings} strings */
function row(ids, words, strings) {
  const alone = ids.length === 1;
  const [kept, was, ...dropped] = ["kept", "was", ...DROPS].map((name) => element("i", { class: `mm-${name}` }));
  const word = element("span", { class: "mm-word" }, alone ? words[ids[0]] : fill(strings.others, { n: ids.length }));
  const value = element("span", { class: "mm-value" });
  const fate = element("span", { class: "mm-fate" });
  const track = element("span", { class: "mm-track" }, kept, ...dropped, was, fate);
  const root = element("li", { "data-id": alone ? ids[0] : "others" }, word, " ", value, " ", track);
  const second = secondBar(ids, strings);
  return {
    root,
    /** @param {Shown} shown */
    show({ outcome, wrong, penalized }) {
      const seen = bar(outcome, ids);
      kept.style.width = `${100 * seen.after}%`;
      dropped.forEach((part, i) => void (part.style.width = `${100 * seen.dropped[i]}%`));
      was.style.left = `${100 * seen.before}%`;
      was.hidden = seen.after - seen.before < 0.001;
      root.dataset.fate = seen.fate;
      tell(value, fate, seen, alone && penalized.includes(ids[0]), strings);
      if (wrong === undefined) second.nodes.forEach((node) => node.remove());
      else root.append(...second.nodes);
      second.show(wrong);
    },
  };
}

/** The bar of the broken sampler. @param {number[]} ids @param {Strings} strings */
function secondBar(ids, strings) {
  const value = element("span", { class: "mm-value" });
  const part = element("i", { class: "mm-wrong" });
  return {
    nodes: [value, element("span", { class: "mm-track" }, part)],
    /** @param {Outcome | null | undefined} wrong */
    show(wrong) {
      const share = wrong ? ids.reduce((total, id) => total + wrong.after[id], 0) : 0;
      part.style.width = `${100 * share}%`;
      value.replaceChildren(element("span", { class: "mm-unseen" }, `${strings.broken} `), wrong ? percent(share, strings) : "NaN");
    },
  };
}

/** A bar in words. @param {HTMLElement} value @param {HTMLElement} fate @param {ReturnType<typeof bar>} seen @param {boolean} penalized @param {Strings} strings */
function tell(value, fate, seen, penalized, strings) {
  const dropped = !["kept", "partly", "masked"].includes(seen.fate);
  const share = percent(dropped ? seen.dropped.reduce((total, part) => total + part, 0) : seen.after, strings);
  const text = penalized && seen.fate === "kept" ? strings.fate_penalized : strings[`fate_${seen.fate.replace("-", "_")}`];
  value.replaceChildren(dropped ? element("del", {}, share) : share);
  fate.replaceChildren(...(dropped ? [element("span", { class: "mm-unseen" }, `${strings.dropped_by} `)] : []), text);
}

/** @param {Strings} strings */
function axis(strings) {
  const ticks = [0, 50, 100].map((n) => element("span", {}, fill(strings.percent, { n })));
  return element("div", { class: "mm-axis", "aria-hidden": "true" }, ...ticks);
}

/** @param {Strings} strings @param {boolean} breakable */
function legend(strings, breakable) {
  const keys = ["kept", ...DROPS, "was", ...(breakable ? ["wrong"] : [])].map((name) =>
    element("li", {}, element("i", { class: `mm-${name}` }), strings[`legend_${name.replace("-", "_")}`]));
  return element("ul", { class: "mm-legend", role: "list" }, ...keys);
}
