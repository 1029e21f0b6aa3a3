// @ts-check
/** Samplers as they go wrong, for the "break it" switch: the twin of pitfalls.py, which says what each mistake is. */
import { descending, keep, softmax, sum } from "./sampling.js";
import { measured, outcomeOf, pipeline, SHAPING } from "./pipeline.js";

/** @typedef {import("./pipeline.js").Outcome} Outcome */
/** @typedef {import("./pipeline.js").Settings} Settings */
/** @typedef {import("./pipeline.js").Step} Step */

/** @type {Record<string, (steps: Step[], settings: Settings, seen: number[]) => Step[]>} */
const MISTAKES = {
  "crossing-token": (steps, { p }) => instead(steps, "top-p", (logits) => {
    const order = descending(logits);
    const mass = running(softmax(logits), order);
    return keep(logits, order.filter((_, i) => mass[i + 1] <= p || p === 1));
  }),
  "masks-with-zero": (steps) => steps.map(([name, apply]) => [name, SHAPING.includes(name) ? apply : zeroing(apply)]),
  "tempers-probabilities": (steps, { tau }) => instead(steps, "temperature", (logits) => softmax(logits).map((prob) => prob / tau)),
  "cuts-before-sorting": (steps, { p }) => instead(steps, "top-p", (logits) => firstPlaces(logits, logits.map((_, id) => id), p)),
  "not-scattered-back": (steps, { p }) => instead(steps, "top-p", (logits) => firstPlaces(logits, descending(logits), p)),
  "no-renormalizing": (steps) => steps,
  "nucleus-first": ([penalty, temperature, topK, topP, minP]) => [penalty, topP, temperature, topK, minP],
  "penalty-divides": (steps, { penalty }, seen) => instead(steps, "penalty", (logits) =>
    softmax(logits).map((prob, id) => Math.log(prob) / (seen.includes(id) ? penalty : 1))),
};

/**
 * What a sampler with this mistake makes of one row of logits; null where no token is left to draw.
 * @param {string} pitfall
 * @param {number[]} logits
 * @param {Settings} settings
 * @param {number[]} seen  ids of the text so far
 * @returns {Outcome | null}
 */
export function brokenOutcome(pitfall, logits, settings, seen) {
  try {
    const made = outcomeOf(logits, MISTAKES[pitfall](pipeline(settings, seen), settings, seen));
    if (pitfall !== "no-renormalizing") return made;
    return measured(made.before, made.before.map((prob, id) => (made.fates[id] === "kept" ? prob : 0)), made.fates);
  } catch (problem) {
    if (problem instanceof RangeError) return null; // every token was dropped: real code would get NaN
    throw problem;
  }
}

/**
 * How much probability is not where it should be: what the wrong distribution adds, or lacks, whichever is more.
 * @param {number[]} right
 * @param {number[]} wrong
 */
export function damage(right, wrong) {
  const differences = right.map((prob, id) => wrong[id] - prob);
  return Math.max(sum(differences.filter((one) => one > 0)), -sum(differences.filter((one) => one < 0)));
}

/** @param {Step[]} steps @param {string} name @param {Step[1]} wrong @returns {Step[]} */
function instead(steps, name, wrong) {
  return steps.map((step) => (step[0] === name ? [name, wrong] : step));
}

/** A filter that sets what it drops to 0. @param {Step[1]} apply @returns {Step[1]} */
function zeroing(apply) {
  return (logits) => {
    const filtered = apply(logits);
    return logits.map((logit, id) => (filtered[id] === -Infinity && logit !== -Infinity ? 0 : logit));
  };
}

/** Keep place i where the first i of `order` have less than p. @param {number[]} logits @param {number[]} order @param {number} p */
function firstPlaces(logits, order, p) {
  const mass = running(softmax(logits), order);
  return logits.map((logit, i) => (mass[i] < p || p === 1 ? logit : -Infinity));
}

/** The mass of the first 0, 1, 2 … of `order`. @param {number[]} probs @param {number[]} order */
function running(probs, order) {
  let mass = 0;
  return [0, ...order.map((id) => (mass += probs[id]))];
}
