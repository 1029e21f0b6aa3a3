// @ts-check
/** The decode loop, one step at a time: what `minimodel.sample` does, token for token. */
import { topKFilter } from "./sampling.js";
import { outcomeOf, pipeline } from "./pipeline.js";

/** @typedef {import("./pipeline.js").Settings} Settings */
/** @typedef {import("./pipeline.js").Outcome} Outcome */
/** @typedef {{logitsAfter: (tokens: number[]) => number[]}} Model */

/**
 * @typedef {object} Draw  one step: the distribution and what came of it
 * @property {Outcome} outcome
 * @property {number | null} u  the uniform number; greedy needs none
 * @property {number} token
 */

/**
 * The distribution of the next token of a text; at temperature 0 all of it is on the likeliest.
 * @param {Model} model
 * @param {number[]} text
 * @param {Settings} settings
 */
export function nextToken(model, text, settings) {
  const [penalty, ...rest] = pipeline(settings, text);
  /** @type {import("./pipeline.js").Step} */
  const greedy = ["greedy", (logits) => topKFilter(logits, 1)];
  return outcomeOf(model.logitsAfter(text), [penalty, ...(settings.tau === 0 ? [greedy] : rest)]);
}

/**
 * The first id whose cumulative probability is above u; never one of probability 0.
 * @param {number[]} probs
 * @param {number} u  in [0, 1)
 */
export function drawAt(probs, u) {
  const total = probs.reduce((all, prob) => all + prob, 0); // 1, but for rounding
  let [cumulative, last] = [0, 0];
  for (const [id, prob] of probs.entries()) {
    if (prob > 0) last = id;
    cumulative += prob;
    if (cumulative > u * total) return id;
  }
  return last;
}

/**
 * Generate one token at a time; the end of text is drawn, too, and is the last.
 * @param {Model} model
 * @param {number[]} prompt
 * @param {Settings} settings
 * @param {{random: () => number, eos: number, length: number}} options  length: the most tokens to generate
 * @returns {Generator<Draw, void>}
 */
export function* decode(model, prompt, settings, { random, eos, length }) {
  const text = [...prompt];
  while (text.length < prompt.length + length && !(text.length > prompt.length && text[text.length - 1] === eos)) {
    const outcome = nextToken(model, text, settings);
    const u = settings.tau === 0 ? null : random();
    const token = drawAt(outcome.after, u ?? 0);
    text.push(token);
    yield { outcome, u, token };
  }
}
