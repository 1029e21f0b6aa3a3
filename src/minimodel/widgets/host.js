// @ts-check
/**
 * The static page's host: it finds the widgets in a page and hands each its state, with no kernel behind it.
 *
 * What it replaces is the picture that the page shows without JavaScript; where a widget fails, the picture stays.
 */

/** @typedef {{render: (context: {model: any, el: HTMLElement}) => unknown}} Widget  a promise where it must wait for something */

/**
 * The few methods of an anywidget model, on a plain object.
 * @param {Record<string, unknown>} state
 * @param {string} [place]  the widget's id in the page, under which the address has its settings
 */
export function staticModel(state, place) {
  const values = { ...state };
  /** @type {Map<string, Set<() => void>>} */
  const listeners = new Map();
  /** @param {string} event */
  const heard = (event) => listeners.get(event) ?? new Set();
  return {
    place,
    /** @param {string} name */
    get: (name) => values[name],
    /** @param {string} name @param {unknown} value */
    set(name, value) {
      if (values[name] === value) return;
      values[name] = value;
      heard(`change:${name}`).forEach((listener) => listener());
    },
    /** @param {string} event @param {() => void} listener */
    on: (event, listener) => void listeners.set(event, heard(event).add(listener)),
    /** @param {string} event @param {() => void} listener */
    off: (event, listener) => void heard(event).delete(listener),
    save_changes() {}, // there is nobody to tell
  };
}

/** How far below or above what the reader sees a widget comes to life: far enough to be ready when it is reached. */
const NEAR = "1000px 0px";

/**
 * Bring every widget of the page to life, as soon as it is near what the reader sees.
 * @param {Record<string, Widget>} widgets  by name
 */
export function mountAll(widgets) {
  /** @type {Map<Element, () => void>} */
  const waiting = new Map();
  const observer = new IntersectionObserver((entries) => {
    for (const { target } of entries.filter((entry) => entry.isIntersecting)) {
      observer.unobserve(target);
      waiting.get(target)?.();
    }
  }, { rootMargin: NEAR });
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-widget]"))) {
    const name = place.dataset.widget ?? "";
    const state = place.querySelector("script[type='application/json']")?.textContent;
    if (!widgets[name] || !state) continue;
    delete place.dataset.widget; // so that a second call finds only what is new
    place.id = freeId(name);
    waiting.set(place, () => void mount(place, name, widgets[name], state));
    observer.observe(place);
    if (location.hash === `#${place.id}`) place.scrollIntoView(); // the browser looked for it too early
  }
}

/** Put the widget in the place of its picture once it is ready to be seen. @param {HTMLElement} place @param {string} name @param {Widget} widget @param {string} state */
async function mount(place, name, widget, state) {
  const stage = document.createElement("div");
  try {
    await widget.render({ model: staticModel(JSON.parse(state), place.id), el: stage });
    place.replaceChildren(stage);
    if (location.hash === `#${place.id}`) place.scrollIntoView(); // the browser looked for it too early
  } catch (problem) {
    console.error(`the widget ${name} could not start`, problem);
  }
}

/** The widget's name, numbered from the second of its kind on. @param {string} name */
function freeId(name) {
  let count = 1;
  const id = () => (count === 1 ? name : `${name}-${count}`);
  while (document.getElementById(id())) count += 1;
  return id();
}

/**
 * Mount as soon as the page has been read; the script may arrive before or after.
 * @param {Parameters<typeof mountAll>[0]} widgets
 */
export function start(widgets) {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => mountAll(widgets));
  else mountAll(widgets);
}
