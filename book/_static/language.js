// @ts-check
// The language switch: go to the section being read, and remember the choice for the site's root page.
{
  const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector("a.language-switch"));
  const remember = (/** @type {string} */ language) => {
    try {
      localStorage.setItem("course-language", language);
    } catch {
      // storage may be forbidden; then the root page goes by the browser's languages
    }
  };

  /** The id of the innermost section that holds the address's target, or else that is being read. */
  const sectionBeingRead = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const sections = [...document.querySelectorAll("article section[id]")];
    const near = (/** @type {Element} */ section) => section.getBoundingClientRect().top < innerHeight / 3;
    const reached = scrollY > 0 ? sections.filter(near).at(-1) : undefined;
    const seen = target && Math.abs(target.getBoundingClientRect().top) < innerHeight ? target : reached;
    return seen?.closest("section[id]")?.id;
  };

  link?.addEventListener("click", () => {
    remember(link.lang);
    const section = sectionBeingRead();
    link.search = location.search; // the settings of the page's widgets
    link.hash = section ? `#${section}` : "";
  });
}
