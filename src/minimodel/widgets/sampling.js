// @ts-check
/**
 * The sampler's arithmetic in float64: the rules of `minimodel.sampling`, held to it by generated cases.
 *
 * Logits are an array of V numbers; a dropped token's is -Infinity. Nothing here changes its input or touches a page.
 */

/**
 * Probabilities of logits; the largest is subtracted first, so that nothing overflows.
 * @param {number[]} logits
 * @returns {number[]}
 */
export function softmax(logits) {
  const peak = Math.max(...logits);
  if (!Number.isFinite(peak)) {
    throw new RangeError(`the largest logit is ${peak}: expected finite scores, or -Infinity for a forbidden token`);
  }
  const weights = logits.map((logit) => Math.exp(logit - peak));
  const total = sum(weights);
  return weights.map((weight) => weight / total);
}

/**
 * Divide by the temperature.
 * @param {number[]} logits
 * @param {number} tau  above 0
 */
export function applyTemperature(logits, tau) {
  if (!(Number.isFinite(tau) && tau > 0)) throw new RangeError(`temperature is ${tau}: expected a number above 0`);
  return logits.map((logit) => logit / tau);
}

/**
 * Keep exactly min(k, V) tokens, the highest; among equal logits the lowest id wins.
 * @param {number[]} logits
 * @param {number} k  1 or more
 */
export function topKFilter(logits, k) {
  if (!(Number.isInteger(k) && k >= 1)) throw new RangeError(`k is ${k}: expected a whole number, 1 or more`);
  return keep(logits, descending(logits).slice(0, k));
}

/**
 * Keep the smallest set of most probable tokens whose mass is at least p; 1 keeps all.
 * @param {number[]} logits
 * @param {number} p  above 0, at most 1
 */
export function topPFilter(logits, p) {
  if (!(p > 0 && p <= 1)) throw new RangeError(`p is ${p}: expected a number above 0 and at most 1`);
  if (p === 1) return [...logits]; // the running sum may round to 1 before the last token
  const probs = softmax(logits);
  const nucleus = [];
  let mass = 0;
  for (const id of descending(logits)) {
    if (mass >= p) break;
    nucleus.push(id);
    mass += probs[id];
  }
  return keep(logits, nucleus);
}

/**
 * Keep the tokens that are at least minP times as probable as the most probable one.
 * @param {number[]} logits
 * @param {number} minP  from 0 to 1
 */
export function minPFilter(logits, minP) {
  if (!(minP >= 0 && minP <= 1)) throw new RangeError(`min_p is ${minP}: expected a number from 0 to 1`);
  const peak = Math.max(...logits);
  return logits.map((logit) => (Math.exp(logit - peak) >= minP ? logit : -Infinity));
}

/**
 * Make the tokens seen so far less likely, each once: a positive logit is divided by the penalty, a negative one multiplied.
 * @param {number[]} logits
 * @param {number[]} ids  of the text so far
 * @param {number} penalty  above 0; 1 changes nothing
 */
export function applyRepetitionPenalty(logits, ids, penalty) {
  if (!(Number.isFinite(penalty) && penalty > 0)) {
    throw new RangeError(`repetition penalty is ${penalty}: expected a number above 0`);
  }
  const seen = new Set(ids);
  return logits.map((logit, id) => (!seen.has(id) ? logit : logit > 0 ? logit / penalty : logit * penalty));
}

/**
 * Shannon entropy in nats; 0 log 0 = 0.
 * @param {number[]} probs
 */
export function entropy(probs) {
  return Math.max(0, sum(probs.map((prob) => (prob > 0 ? -prob * Math.log(prob) : 0))));
}

/**
 * Token ids from the highest logit to the lowest; the lower id first among equals.
 * @param {number[]} logits
 */
export function descending(logits) {
  return logits.map((_, id) => id).sort((a, b) => logits[b] - logits[a] || a - b); // -∞ - -∞ is NaN: falsy, so by id
}

/** Drop all tokens but these. @param {number[]} logits @param {number[]} ids */
export function keep(logits, ids) {
  const kept = new Set(ids);
  return logits.map((logit, id) => (kept.has(id) ? logit : -Infinity));
}

/** @param {number[]} numbers */
export function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
