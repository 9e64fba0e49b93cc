/** The words and drawings that all pages use, from Safari 13.1 and Chrome 80 on. */

export const words = {};

export const STILL = matchMedia("(prefers-reduced-motion: reduce)"); // whether the device asks for less motion

if (!Element.prototype.replaceChildren) {
  Element.prototype.replaceChildren = function (...children) {
    this.textContent = "";
    this.append(...children);
  };
}

/** Put the texts of the server into the elements that name them. */
export function fill(given) {
  Object.assign(words, given);
  for (const element of document.querySelectorAll("[data-word]")) {
    element.textContent = words[element.dataset.word] ?? "";
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", words[element.dataset.label] ?? "");
  }
}

/** An element with properties and children; a property with a dash is an attribute. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** A language, such as pt_PT, as HTML names it: pt-PT. */
export const tag = (language) => language.replace("_", "-");

/** A list of the languages that there are, each by its own name; null if there is one alone. `choose` gets a code. */
export function languageList(languages, chosen, choose) {
  if (!languages?.length) return null;
  const option = ({ key, label }) => make("option", { value: key, lang: tag(key), selected: key === chosen }, label);
  const select = make("select", { "aria-label": words.language ?? "" }, ...languages.map(option));
  select.dataset.key = "language";
  select.onchange = () => choose(select.value);
  return make("div", { className: "languages" }, icon("languages"), select);
}

const shown = new WeakMap(); // what elements show, as text

/** Put new children into an element, but only if what it shows has changed: a finger may be on a button of it. */
export function renew(element, content, build) {
  const text = JSON.stringify(content);
  if (shown.get(element) === text) return;
  shown.set(element, text);
  element.replaceChildren(...build());
}

/** A drawing of icons.svg. */
export function icon(name, className = "icon") {
  const space = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(space, "svg");
  const use = document.createElementNS(space, "use");
  drawing.setAttribute("class", className);
  drawing.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#icon-${name}`);
  drawing.append(use);
  return drawing;
}

let pictures = 0;

/** A sentence as a paragraph in its tone. */
export const line = ({ text, tone }) => make("p", { className: tone }, text);

/** An SVG of the server as an element of its own; its gradients get names that no other picture on the page has. */
export function picture(svg) {
  pictures += 1;
  const own = svg.replace(/(Gradient id="|url\(#)([\w-]+)/g, `$1$2-${pictures}`);
  const drawing = new DOMParser().parseFromString(own, "image/svg+xml").documentElement;
  drawing.setAttribute("aria-hidden", "true");
  return document.importNode(drawing, true);
}
