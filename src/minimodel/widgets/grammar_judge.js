// @ts-check
/** The grammar's judge: the rule of `Grammar.judge` on the tables of model_data.py. */

/**
 * @typedef {object} Tables
 * @property {number[][]} next  for each position of a text: word, position, word, position …
 * @property {number[]} owed  for each position the tenses and persons that a verb form must have there, as bits
 * @property {number[][]} forms  each verb form: the tenses and persons that it can stand for, then its words
 * @property {number[]} subjects
 * @property {number} persons
 */
/** @typedef {"right" | "wrong_tense" | "wrong_person" | "not_a_verb" | "unfinished"} Verdict */
/** @typedef {Verdict | "not_due" | "no_sentence"} Ruling  the last two: why there is nothing to judge */

/** @param {Tables} tables */
export function grammarJudge({ next, owed, forms, subjects, persons }) {
  const ways = next.map((row) => new Map(row.flatMap((word, i) => (i % 2 ? [] : [/** @type {[number, number]} */ ([word, row[i + 1]])]))));
  const cells = new Map(forms.map(([bits, ...words]) => [words.join(" "), bits]));
  const beginnings = new Set(forms.flatMap(([, ...words]) => words.map((_, i) => words.slice(0, i).join(" "))));

  /** Where a text stands; undefined where the grammar has no such text. @param {number[]} text @returns {number | undefined} */
  const position = (text) => text.reduce((/** @type {number | undefined} */ at, word) => (at === undefined ? at : ways[at].get(word)), 0);

  /** @param {number} due @param {number[]} words @returns {Verdict} */
  function judgeForm(due, words) {
    let end = 0;
    while (beginnings.has(words.slice(0, end).join(" ")) && !cells.has(words.slice(0, end).join(" "))) {
      if (end === words.length) return "unfinished";
      end += 1;
    }
    const said = cells.get(words.slice(0, end).join(" "));
    if (said === undefined) return "not_a_verb";
    if (said & due) return "right";
    const row = (1 << persons) - 1; // one tense's persons
    const sameTense = [0, 1, 2].some((tense) => (due & (row << (tense * persons))) && (said & (row << (tense * persons))));
    return sameTense ? "wrong_person" : "wrong_tense";
  }

  return {
    /** The words that the grammar may go on with. @param {number[]} text */
    wordsAfter(text) {
      const at = position(text);
      return at === undefined ? [] : [...ways[at].keys()];
    },
    /**
     * @param {number[]} prompt
     * @param {number[]} completion
     * @returns {Ruling}
     */
    judge(prompt, completion) {
      const at = position(prompt);
      if (at === undefined) return "no_sentence";
      if (!owed[at]) return "not_due";
      const subject = Math.max(...subjects.map((id) => prompt.lastIndexOf(id)));
      return judgeForm(owed[at], [...prompt.slice(subject + 1), ...completion]);
    },
  };
}
