// @ts-check
/** What decoding costs, for any GPT-like shape: the arithmetic of `minimodel.cost`, held to it by generated cases. */

import { fixed } from "./controls.js";

/** @typedef {{layers: number, heads: number, kv_heads: number, head_size: number, layer_weights: number, head_weights: number, positions: number, num_parameters: number}} Shape */
/** @typedef {{linear: number, attention: number}} Flops */

/** Positions read to generate n tokens after a prompt of L. @param {number} L @param {number} n @param {boolean} cached */
export function decodePositions(L, n, cached) {
  return cached ? L + n - 1 : n * L + (n * (n - 1)) / 2;
}

/** Pairs of a query and a key that attention multiplies. @param {number} L @param {number} n @param {boolean} cached */
export function attendedPairs(L, n, cached) {
  if (cached) return L * L + (n - 1) * L + (n * (n - 1)) / 2;
  return n * L * L + L * n * (n - 1) + ((n - 1) * n * (2 * n - 1)) / 6;
}

/** FLOPs to generate n tokens after a prompt of L. @param {Shape} shape @param {number} L @param {number} n @param {boolean} cached @returns {Flops} */
export function decodeFlops(shape, L, n, cached) {
  const linear = decodePositions(L, n, cached) * shape.layers * shape.layer_weights + n * shape.head_weights;
  return { linear: 2 * linear, attention: 4 * attendedPairs(L, n, cached) * shape.layers * shape.heads * shape.head_size };
}

/** Bytes of a cache: 2 (K and V) · layers · KV heads · head size · length · batch · bytes. @param {Shape} shape @param {number} batch @param {number} length @param {number} bytes  per value */
export function kvCacheBytes(shape, batch, length, bytes) {
  return 2 * shape.layers * shape.kv_heads * shape.head_size * length * batch * bytes;
}

/** A large number in words: 1.43 M. @param {number} number */
export function si(number) {
  const power = Math.min(6, Math.max(0, Math.floor(Math.log10(Math.max(number, 1) * 1.0005) / 3)));
  const scaled = number / 1000 ** power;
  return `${fixed(scaled, power === 0 || scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2)}${["", " k", " M", " G", " T", " P", " E"][power]}`;
}
