// @ts-check
// Checks the answers of the {quiz} directive. Without this script a question is a text with its answers folded below.
{
  /**
   * What to say of the chosen options.
   * @param {boolean[]} chosen
   * @param {boolean[]} right
   * @returns {"right" | "wrong" | "some" | "choose"}
   */
  const judgeChoice = (chosen, right) => {
    if (!chosen.includes(true)) return "choose";
    if (chosen.some((yes, i) => yes && !right[i])) return "wrong";
    return chosen.every((yes, i) => yes === right[i]) ? "right" : "some";
  };

  /**
   * What to say of a number as written, with a decimal point or comma.
   * @param {string} written
   * @param {number} answer
   * @param {number} tolerance
   * @returns {"right" | "number" | "tooSmall" | "tooLarge"}
   */
  const judgeNumber = (written, answer, tolerance) => {
    const value = Number(written.trim().replace(",", ".").replace("−", "-"));
    if (!written.trim() || Number.isNaN(value)) return "number";
    if (Math.abs(value - answer) <= tolerance + 1e-12) return "right";
    return value < answer ? "tooSmall" : "tooLarge";
  };

  /** @param {HTMLElement} quiz */
  const bringToLife = (quiz) => {
    const inputs = [...quiz.querySelectorAll("input")];
    const store = /** @type {HTMLDetailsElement} */ (quiz.querySelector(".quiz-answers"));
    const answers = /** @type {HTMLElement[]} */ ([...store.querySelectorAll(".quiz-answer")]);
    const status = /** @type {HTMLElement} */ (quiz.querySelector(".quiz-status"));
    const button = /** @type {HTMLButtonElement} */ (quiz.querySelector(".quiz-check"));

    const reset = () => {
      store.append(...answers);
      status.replaceChildren();
      delete quiz.dataset.state;
    };

    const check = () => {
      reset();
      const chosen = inputs.map((input) => input.checked);
      const numeric = quiz.dataset.kind === "number";
      const verdict = numeric
        ? judgeNumber(inputs[0].value, Number(quiz.dataset.answer), Number(quiz.dataset.tolerance))
        : judgeChoice(chosen, answers.map((answer) => answer.dataset.right === "true"));
      const said = document.createElement("p");
      said.className = "quiz-verdict";
      said.textContent = /** @type {string} */ (quiz.dataset[verdict]);
      quiz.dataset.state = verdict === "right" ? "right" : "wrong";
      status.append(said, ...answers.filter((_, i) => (numeric ? verdict === "right" : chosen[i])));
      store.hidden = !verdict.startsWith("too"); // a wrong number says little: offer the answer
    };

    store.hidden = true;
    button.hidden = false;
    button.addEventListener("click", check);
    quiz.addEventListener("input", reset);
    quiz.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target instanceof HTMLInputElement) check();
    });
  };

  document.querySelectorAll(".quiz").forEach((quiz) => bringToLife(/** @type {HTMLElement} */ (quiz)));
}
