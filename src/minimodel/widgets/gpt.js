// @ts-check
/**
 * The Mini-GPT: the function of `minimodel.gpt`, one position at a time.
 *
 * What has been read is a tree: each token is a node that knows the one before it and holds its own keys and values,
 * the KV cache. Texts that begin alike share their nodes, so that no position is ever computed twice.
 */

/** @typedef {{heads: number, context: number, layout: [string, number][]}} Shape  the layout: the weights' names and lengths */

/**
 * @typedef {object} Place  a token read, at the end of a text
 * @property {Place[]} path  the text's places, this one the last
 * @property {Float64Array[]} keys  for each layer, all heads in a row
 * @property {Float64Array[]} values
 * @property {number[]} logits  of the token after it
 * @property {Map<number, Place>} next  what has been read on
 */

/**
 * @param {Shape} shape
 * @param {DataView} bytes  the weights in float16, little-endian, one after the other
 */
export function miniGPT({ heads, context, layout }, bytes) {
  const w = unpacked(layout, bytes);
  const width = w["ln_f.bias"].length;
  const layers = layout.filter(([name]) => name.endsWith("ln_1.bias")).length;

  /** The place after one more token. @param {number} token @param {Place[]} before @returns {Place} */
  function read(token, before) {
    /** @type {Place} */
    const place = { path: [], keys: [], values: [], logits: [], next: new Map() };
    place.path = [...before, place];
    const x = Float64Array.from({ length: width }, (_, i) => w["wte.weight"][token * width + i] + w["wpe.weight"][before.length * width + i]);
    for (let layer = 0; layer < layers; layer++) {
      const name = `h.${layer}.`;
      add(x, linear(attention(linear(norm(x, `${name}ln_1`), `${name}attn.c_attn`), place, layer), `${name}attn.c_proj`));
      add(x, linear(linear(norm(x, `${name}ln_2`), `${name}mlp.c_fc`).map(gelu), `${name}mlp.c_proj`));
    }
    const end = norm(x, "ln_f");
    place.logits = Array.from({ length: w["wte.weight"].length / width }, (_, id) => dot(end, w["wte.weight"], 0, id * width, width));
    return place;
  }

  /** Keep this place's keys and values, and mix the values of the whole path. @param {Float64Array} qkv @param {Place} place @param {number} layer */
  function attention(qkv, place, layer) {
    place.keys.push(qkv.subarray(width, 2 * width));
    place.values.push(qkv.subarray(2 * width));
    const size = width / heads;
    const mixed = new Float64Array(width);
    for (let at = 0; at < width; at += size) {
      const scores = place.path.map(({ keys }) => dot(qkv, keys[layer], at, at, size) / Math.sqrt(size));
      const peak = Math.max(...scores);
      const weights = scores.map((score) => Math.exp(score - peak));
      const total = weights.reduce((all, weight) => all + weight, 0);
      place.path.forEach(({ values }, t) => {
        for (let i = at; i < at + size; i++) mixed[i] += (weights[t] / total) * values[layer][i];
      });
    }
    return mixed;
  }

  /** @param {Float64Array} x @param {string} name */
  function linear(x, name) {
    const [matrix, out] = [w[`${name}.weight`], Float64Array.from(w[`${name}.bias`])];
    for (let i = 0, at = 0; i < x.length; i++, at += out.length) {
      for (let j = 0; j < out.length; j++) out[j] += x[i] * matrix[at + j];
    }
    return out;
  }

  /** @param {Float64Array} x @param {string} name */
  function norm(x, name) {
    const mean = x.reduce((all, one) => all + one, 0) / width;
    const variance = x.reduce((all, one) => all + (one - mean) ** 2, 0) / width;
    const [gain, bias] = [w[`${name}.weight`], w[`${name}.bias`]];
    return x.map((one, i) => ((one - mean) / Math.sqrt(variance + 1e-5)) * gain[i] + bias[i]);
  }

  /** @type {Map<number, Place>} */
  const root = new Map();
  return {
    /**
     * The logits after a text, of which the model sees the last `context` tokens.
     * @param {number[]} tokens  at least one
     */
    logitsAfter(tokens) {
      /** @type {Place | undefined} */
      let place;
      let next = root;
      for (const token of tokens.slice(-context)) {
        if (!next.has(token)) next.set(token, read(token, place?.path ?? []));
        place = /** @type {Place} */ (next.get(token));
        next = place.next;
      }
      if (!place) throw new RangeError("the text is empty: expected at least one token");
      return place.logits;
    },
  };
}

/** @param {[string, number][]} layout @param {DataView} bytes @returns {Record<string, Float32Array>} */
function unpacked(layout, bytes) {
  let at = 0;
  return Object.fromEntries(layout.map(([name, length]) => {
    const numbers = new Float32Array(length);
    for (let i = 0; i < length; i++, at += 2) numbers[i] = half(bytes.getUint16(at, true));
    return [name, numbers];
  }));
}

/** What the last bit of a half-precision number is worth, by its exponent. */
const ULP = Array.from({ length: 32 }, (_, exponent) => 2 ** (Math.max(exponent, 1) - 25));

/** The number that 16 bits stand for (IEEE 754 binary16). @param {number} bits */
function half(bits) {
  const exponent = (bits >> 10) & 31; // never that of infinity
  const size = ((exponent ? 1024 : 0) + (bits & 1023)) * ULP[exponent];
  return bits >> 15 ? -size : size;
}

/** The tanh form of the GELU. @param {number} x */
function gelu(x) {
  return 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));
}

/** @param {Float64Array} x @param {Float64Array} more */
function add(x, more) {
  for (let i = 0; i < x.length; i++) x[i] += more[i];
}

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b @param {number} from  in a @param {number} start  in b @param {number} length */
function dot(a, b, from, start, length) {
  let total = 0;
  for (let i = 0; i < length; i++) total += a[from + i] * b[start + i];
  return total;
}
