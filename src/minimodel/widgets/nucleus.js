// @ts-check
/** The nucleus of probabilities that are given as numbers: the boundary rule, ties, and top-k to compare with. */

/** A sum of 0.14, 0.11 and 0.09 is a hair below 0.34: so much of a sum is rounding, and no reason to keep one more. */
const ROUNDING = 1e-9;

/** @typedef {{order: number[], mass: number[], nucleus: number, top: number}} Cut  ids, likeliest first; the mass of the first 1, 2, …; how many each keeps */

/**
 * Sort and cut: top-p keeps the shortest prefix of mass p or more, top-k the first k; equals by lowest id.
 * @param {number[]} probs
 * @param {number} p  above 0; 1 keeps all
 * @param {number} k
 * @returns {Cut}
 */
export function cut(probs, p, k) {
  const order = probs.map((_, id) => id).sort((a, b) => probs[b] - probs[a] || a - b);
  let total = 0;
  const mass = order.map((id) => (total += probs[id]));
  const reached = p === 1 ? -1 : mass.findIndex((one) => one >= p - ROUNDING);
  return { order, mass, nucleus: reached < 0 ? probs.length : reached + 1, top: Math.min(k, probs.length) };
}

/** How many numbers the reader may give. */
export const MOST = 16;

/**
 * Numbers that a reader has typed, as probabilities; null where they are none. What does not add up to 1 is scaled.
 * @param {string} text  separated by spaces, commas or semicolons
 */
export function probsOf(text) {
  const numbers = withPoints(text).split(/[\s,;]+/).filter(Boolean).map(Number);
  const total = numbers.reduce((sum, number) => sum + number, 0);
  if (!numbers.length || numbers.length > MOST || !numbers.every((number) => number >= 0 && number < Infinity) || !(total > 0)) return null;
  return Math.abs(total - 1) < 1e-9 ? numbers : numbers.map((number) => number / total);
}

/** The text with decimal points for decimal commas: between two digits, where there is no point and the numbers are set apart otherwise. @param {string} text */
function withPoints(text) {
  return !text.includes(".") && /[\s;]/.test(text.trim()) ? text.replace(/(\d),(?=\d)/g, "$1.") : text;
}
