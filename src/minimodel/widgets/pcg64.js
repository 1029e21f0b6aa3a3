// @ts-check
/**
 * The random numbers of NumPy's `default_rng(seed)`: a seed sequence that fills a PCG64, bit for bit.
 *
 * M. E. O'Neill (2014), "PCG: a family of simple fast space-efficient statistically good algorithms for random number
 * generation", and NumPy's `SeedSequence`, which follows her `seed_seq_fe`.
 */

const POOL = 4; // words of 32 bits in a seed sequence
const MASK_128 = (1n << 128n) - 1n;
const MASK_64 = (1n << 64n) - 1n;
const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n;

/**
 * What `rng.random()` returns, call after call, for `rng = default_rng(seed)`.
 * @param {number} seed  a whole number from 0 to 2⁵³ - 1
 * @returns {() => number}  the next number in [0, 1)
 */
export function uniforms(seed) {
  if (!(Number.isSafeInteger(seed) && seed >= 0)) throw new RangeError(`seed is ${seed}: expected a whole number, 0 or more`);
  const words = seedWords(seed);
  /** @param {number} i  the 64-bit words come low half first, the 128-bit ones high half first */
  const wide = (i) => [1, 0, 3, 2].reduce((whole, at) => (whole << 32n) | BigInt(words[i + at]), 0n);
  const increment = ((wide(4) << 1n) | 1n) & MASK_128;
  let state = ((increment + wide(0)) * MULTIPLIER + increment) & MASK_128;
  return () => {
    state = (state * MULTIPLIER + increment) & MASK_128;
    const mixed = (state >> 64n) ^ (state & MASK_64);
    const turn = state >> 122n;
    const drawn = ((mixed >> turn) | (mixed << (64n - turn))) & MASK_64;
    return Number(drawn >> 11n) / 2 ** 53;
  };
}

/** The eight words that a seed sequence hands to PCG64. @param {number} seed */
function seedWords(seed) {
  const hash = hasher(0x43b0d7e5, 0x931e8875);
  const pool = Array.from({ length: POOL }, (_, i) => hash([seed % 2 ** 32, Math.floor(seed / 2 ** 32)][i] ?? 0));
  for (let from = 0; from < POOL; from++) {
    for (let to = 0; to < POOL; to++) {
      if (from !== to) pool[to] = blend(pool[to], hash(pool[from]));
    }
  }
  const spread = hasher(0x8b51f9dd, 0x58f38ded);
  return Array.from({ length: 2 * POOL }, (_, i) => spread(pool[i % POOL]));
}

/** A hash of 32-bit words, each call's its own. @param {number} constant @param {number} multiplier */
function hasher(constant, multiplier) {
  return (/** @type {number} */ word) => {
    const salted = word ^ constant;
    constant = Math.imul(constant, multiplier);
    return folded(Math.imul(salted, constant));
  };
}

/** @param {number} x @param {number} y */
function blend(x, y) {
  return folded(Math.imul(0xca01f9dd, x) - Math.imul(0x4973f715, y));
}

/** @param {number} word */
function folded(word) {
  return (word ^ (word >>> 16)) >>> 0;
}
