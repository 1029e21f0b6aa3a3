// @ts-check
/** A sampler's steps in the order of the contract, and what they make of one row of logits. */
import { applyRepetitionPenalty, applyTemperature, entropy, minPFilter, softmax, sum, topKFilter, topPFilter } from "./sampling.js";

/** @typedef {{penalty: number, tau: number, k: number | null, p: number, min_p: number}} Settings  where the knobs stand */
/** @typedef {[name: string, apply: (logits: number[]) => number[]]} Step */
/** @typedef {"kept" | "masked" | "top-k" | "top-p" | "min-p"} Fate  what became of a token: "masked" was -Infinity before any filter */

/**
 * @typedef {object} Outcome  arrays are by token id
 * @property {number[]} before  probabilities before anything was dropped
 * @property {number[]} after  probabilities that the draw is made from
 * @property {Fate[]} fates
 * @property {number} kept  how many tokens can still be drawn
 * @property {number} massKept  the probability they had together, before renormalising
 * @property {number} entropy  of `after`, in nats
 */

/** The steps that move probability but drop no token. */
export const SHAPING = ["penalty", "temperature"];

/**
 * The steps that the settings ask for.
 * @param {Settings} settings
 * @param {number[]} seen  ids of the text so far
 * @returns {Step[]}
 */
export function pipeline({ penalty, tau, k, p, min_p }, seen) {
  return [
    ["penalty", (logits) => applyRepetitionPenalty(logits, seen, penalty)],
    ["temperature", (logits) => applyTemperature(logits, tau)],
    ["top-k", (logits) => (k === null ? logits : topKFilter(logits, k))],
    ["top-p", (logits) => topPFilter(logits, p)],
    ["min-p", (logits) => minPFilter(logits, min_p)],
  ];
}

/**
 * Run the steps over one row of logits, then the softmax.
 * @param {number[]} logits
 * @param {Step[]} steps
 * @returns {Outcome}
 */
export function outcomeOf(logits, steps) {
  /** @type {Fate[]} */
  let fates = logits.map(() => "kept");
  let [scores, shaped] = [logits, logits];
  for (const [name, apply] of steps) {
    scores = apply(scores);
    if (SHAPING.includes(name)) shaped = apply(shaped);
    const gone = /** @type {Fate} */ (SHAPING.includes(name) ? "masked" : name);
    fates = fates.map((fate, id) => (fate === "kept" && scores[id] === -Infinity ? gone : fate));
  }
  return measured(softmax(shaped), softmax(scores), fates);
}

/** The outcome's numbers. @param {number[]} before @param {number[]} after @param {Fate[]} fates @returns {Outcome} */
export function measured(before, after, fates) {
  const dropped = fates.some((fate) => fate !== "kept" && fate !== "masked");
  return {
    before,
    after,
    fates,
    kept: fates.filter((fate) => fate === "kept").length,
    massKept: dropped ? sum(before.filter((_, id) => fates[id] === "kept")) : 1, // the sum itself may round to less
    entropy: entropy(after),
  };
}
