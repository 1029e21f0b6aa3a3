// @ts-check
// Lays out the sections that course.css puts off, one after another, so that a phone can answer in between.
{
  const PAUSE = 100; // ms

  const sections = [...document.querySelectorAll(".bd-article > section > section")];

  const layOut = () => {
    sections.shift()?.classList.add("laid-out");
    if (sections.length) requestAnimationFrame(() => setTimeout(layOut, PAUSE)); // a frame for each, however slow they come
  };

  addEventListener("load", () => setTimeout(layOut, PAUSE));
}
