// @ts-check
// Draws the formulas with MathJax: once the text can be read, those in sight first, one at a time, so that a phone can answer in between.
{
  const folder = new URL("mathjax/", /** @type {HTMLScriptElement} */ (document.currentScript).src);

  /** How far a formula is from what the reader sees, in pixels. @param {Element} formula */
  const distance = (formula) => {
    const { top, bottom } = formula.getBoundingClientRect();
    return Math.max(0, top - innerHeight, -bottom);
  };

  const page = /** @type {any} */ (window); // MathJax lives in a global

  const drawAll = async () => {
    const far = [...document.querySelectorAll("article .math")].map((formula) => ({ formula, away: distance(formula) }));
    for (const { formula } of far.sort((one, other) => one.away - other.away)) {
      await page.MathJax.typesetPromise?.([formula]);
      await new Promise((done) => setTimeout(done));
    }
    dispatchEvent(new Event("formulas-drawn"));
  };

  const load = () => {
    page.MathJax = { ...page.MathJax, startup: { pageReady: drawAll } };
    const script = document.createElement("script");
    script.src = new URL("startup.js", folder).href;
    document.head.append(script);
  };

  const afterFirstPaint = () => {
    const observer = new PerformanceObserver(() => {
      observer.disconnect();
      load();
    });
    observer.observe({ type: "paint", buffered: true });
  };

  addEventListener("load", afterFirstPaint);
}
