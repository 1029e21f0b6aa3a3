// @ts-check
/** The Mini-GPT of a language, of which a page holds one: its weights come in a script, or from the kernel. */
import { miniGPT } from "./gpt.js";
import { grammarJudge } from "./grammar_judge.js";

/** @typedef {ReturnType<typeof prepared>} PageModel */

/** @type {Map<string, PageModel>} */
const ready = new Map();

/**
 * The model of the widget's language, as soon as the page has it.
 * @param {import("./controls.js").Model & {send?: (content: unknown) => void}} model
 * @returns {Promise<PageModel>}
 */
export async function pageModel(model) {
  /** @type {string} */
  const lang = model.get("lang");
  const held = (/** @type {any} */ (globalThis).minimodel ??= {}); // what the script leaves for us, too
  while (!held[lang]) await (model.send ? fromKernel(model, held, lang) : fromScript(lang));
  if (!ready.has(lang)) {
    ready.set(lang, prepared(held[lang]));
    await new Promise((go) => setTimeout(go)); // a phone has been kept busy: let it answer in between
  }
  return /** @type {PageModel} */ (ready.get(lang));
}

/** Run the model's script, which the page only names, once the text can be read; it says when it is there. @param {string} lang */
async function fromScript(lang) {
  await painted();
  const named = /** @type {HTMLScriptElement | null} */ (document.querySelector(`script[data-model="${lang}"]`));
  named?.replaceWith(Object.assign(document.createElement("script"), { src: named.src }));
  if (!(/** @type {any} */ (globalThis).minimodel?.[lang])) await new Promise((go) => document.addEventListener("minimodel", () => setTimeout(go), { once: true }));
}

/** The page has been drawn for the first time: what is asked for now keeps no text waiting. @returns {Promise<void>} */
function painted() {
  return new Promise((go) => {
    const observer = new PerformanceObserver(() => (observer.disconnect(), go()));
    observer.observe({ type: "paint", buffered: true });
  });
}

/** Ask the kernel, and keep the answer for the page's other widgets. @param {any} model @param {any} held @param {string} lang */
function fromKernel(model, held, lang) {
  return new Promise((go) => {
    /** @param {any} content @param {DataView[]} buffers */
    const listener = (content, [weights]) => {
      model.off("msg:custom", listener);
      go((held[lang] = { ...content, weights }));
    };
    model.on("msg:custom", listener);
    model.send("model");
  });
}

/** @param {any} data  what model_data.py makes */
function prepared(data) {
  /** @type {string[]} */
  const words = data.words;
  const ids = new Map(words.map((word, id) => [word.toLowerCase(), id]));
  return {
    words,
    /** @type {number} */
    eos: data.eos,
    gpt: miniGPT(data, asBytes(data.weights)),
    grammar: grammarJudge(data.judge),
    /** The words of a text, some of which the model may not know. @param {string} text */
    split: (text) => text.normalize("NFC").match(/<\w+>|[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]/gu) ?? [],
    /** The id of a word in any case; undefined where the model has none. @param {string} word */
    id: (word) => ids.get(word.toLowerCase()),
    /** Each token as it is written: a capital where a sentence starts, a space before it but for the full stop. @param {number[]} tokens */
    spelled: (tokens) => tokens.map((token, i) => {
      const starts = i === 0 || [data.stop, data.eos].includes(tokens[i - 1]);
      const word = starts ? words[token][0].toUpperCase() + words[token].slice(1) : words[token];
      return i === 0 || token === data.stop ? word : ` ${word}`;
    }),
  };
}

/** @param {string | DataView} weights  base64 from a script, bytes from a kernel */
function asBytes(weights) {
  if (typeof weights !== "string") return weights;
  const letters = atob(weights);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
  return new DataView(bytes.buffer);
}
