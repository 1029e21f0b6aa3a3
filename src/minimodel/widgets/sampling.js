// @ts-check
/**
 * The sampler's arithmetic in float64: the rules of `minimodel.sampling`, held to it by generated cases.
 *
 * Logits are an array of V numbers; a dropped token's is -Infinity. Nothing here changes its input or touches a page.
 */

/** @typedef {"kept" | "masked" | "top-k" | "top-p" | "min-p"} Fate  what became of a token: "masked" came in as -Infinity */

/**
 * @typedef {object} Outcome  what truncation made of one row of tempered logits; arrays are by token id
 * @property {number[]} before  probabilities before anything was dropped
 * @property {number[]} after  probabilities that the draw is made from
 * @property {Fate[]} fates
 * @property {number} kept  how many tokens can still be drawn
 * @property {number} massKept  the probability they had together, before renormalising
 * @property {number} entropy  of `after`, in nats
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
 * Shannon entropy in nats; 0 log 0 = 0.
 * @param {number[]} probs
 */
export function entropy(probs) {
  return Math.max(0, sum(probs.map((prob) => (prob > 0 ? -prob * Math.log(prob) : 0))));
}

/**
 * Top-k, then top-p, then min-p, then softmax, on logits that temperature has been applied to.
 * @param {number[]} tempered
 * @param {{k?: number | null, p?: number, minP?: number}} [settings]  what is left out is off
 * @returns {Outcome}
 */
export function truncate(tempered, { k = null, p = 1, minP = 0 } = {}) {
  const afterK = k === null ? tempered : topKFilter(tempered, k);
  const afterP = topPFilter(afterK, p);
  const afterMinP = minPFilter(afterP, minP);
  /** @type {[Fate, number[]][]} */
  const steps = [["masked", tempered], ["top-k", afterK], ["top-p", afterP], ["min-p", afterMinP]];
  /** @param {number} id @returns {Fate} */
  const fate = (id) => steps.find(([, logits]) => logits[id] === -Infinity)?.[0] ?? "kept";
  const fates = tempered.map((_, id) => fate(id));
  const dropped = fates.some((one) => one !== "kept" && one !== "masked");
  const [before, after] = [softmax(tempered), softmax(afterMinP)];
  return {
    before,
    after,
    fates,
    kept: fates.filter((one) => one === "kept").length,
    massKept: dropped ? sum(before.filter((_, id) => fates[id] === "kept")) : 1, // the sum itself may round to less
    entropy: entropy(after),
  };
}

/**
 * Token ids from the highest logit to the lowest; the lower id first among equals.
 * @param {number[]} logits
 */
export function descending(logits) {
  return logits.map((_, id) => id).sort((a, b) => logits[b] - logits[a] || a - b); // -∞ - -∞ is NaN: falsy, so by id
}

/** @param {number[]} logits @param {number[]} ids */
function keep(logits, ids) {
  const kept = new Set(ids);
  return logits.map((logit, id) => (kept.has(id) ? logit : -Infinity));
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
