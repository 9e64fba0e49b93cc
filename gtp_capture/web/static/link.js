/** The connection with the server, and the words and drawings that all pages use. */

const RETRY = 1000; // milliseconds between two attempts
const PATIENCE = 15000; // after these milliseconds a request is sent again

export const words = {};

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

/** An SVG of the server as an element of its own; its gradients get names that no other picture on the page has. */
export function picture(svg) {
  pictures += 1;
  const own = svg.replaceAll(/(Gradient id="|url\(#)([\w-]+)/g, `$1$2-${pictures}`);
  const drawing = new DOMParser().parseFromString(own, "image/svg+xml").documentElement;
  drawing.setAttribute("aria-hidden", "true");
  return document.importNode(drawing, true);
}

/** A text that no other action has. */
function fresh() {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join("");
}

const pause = (time) => new Promise((done) => setTimeout(done, time));

/**
 * The page's link to the server. `see` gets each message of the stream of events and each answer that has a view;
 * `lose` gets true or the reason while the server cannot be reached, and false when it can be again.
 */
export class Link {
  constructor(see, lose) {
    this.see = see;
    this.lose = lose;
    this.number = -1;
    this.open();
    addEventListener("online", () => this.open());
    addEventListener("pageshow", (event) => event.persisted && this.open());
    document.addEventListener("visibilitychange", () => document.hidden || this.open());
  }

  /** Begin the stream anew; its first message is a whole view. */
  open() {
    this.stream?.close();
    clearTimeout(this.timer);
    const { body, documentElement } = document;
    const stream = new EventSource(`/events?as=${body.dataset.page}&language=${documentElement.lang}`);
    let first = true;
    this.stream = stream;
    stream.onopen = () => (first = true);
    stream.onmessage = (event) => {
      this.lose(false);
      this.receive(JSON.parse(event.data), first);
      first = false;
    };
    stream.onerror = () => {
      this.lose(true);
      if (stream.readyState === EventSource.CLOSED) this.timer = setTimeout(() => this.ask(stream.url), RETRY);
    };
  }

  /** Ask the server why it gives no stream, show what it says, and begin anew. */
  async ask(address) {
    const end = new AbortController();
    try {
      const answer = await fetch(address, { signal: end.signal });
      if (!answer.ok) this.lose((await answer.json()).error);
    } catch {
      this.lose(true);
    }
    end.abort();
    this.open();
  }

  /** Hand on a message, unless a newer one was there before. */
  receive(message, first = false) {
    const number = message.view?.n;
    if (number !== undefined) {
      if (!first && number < this.number) return;
      this.number = number;
      if (message.view.language) document.documentElement.lang = tag(message.view.language);
      if (message.view.words) fill(message.view.words);
    }
    this.see(message);
  }

  /** Send something, again and again until it arrives; return the answer, which has `error` if it was refused. */
  async send(path, content) {
    const body = JSON.stringify({ n: this.number, id: fresh(), ...content });
    const headers = { "Content-Type": "application/json", "Accept-Language": document.documentElement.lang };
    for (let lost = false; ; lost = true) {
      try {
        const signal = AbortSignal.timeout?.(PATIENCE);
        const response = await fetch(path, { method: "POST", body, headers, signal });
        if (response.status < 500) {
          const answer = await response.json();
          if (lost || response.status === 401) this.open();
          if (answer.view) this.receive(answer);
          return answer;
        }
      } catch {
        this.lose(true);
      }
      await pause(RETRY);
    }
  }
}

/** Show or hide the line that says that the connection is lost; `lost` may be the reason. */
export function lose(lost) {
  const line = document.querySelector(".lost");
  if (lost === true && !line.hidden) return;
  line.hidden = !lost;
  const reason = lost === true ? words.offline ?? "…" : lost;
  renew(line, reason, () => (lost ? [icon("lost"), reason] : []));
}

document.querySelector(".unable").hidden = true;

/** Take the drawings into the page, so that they are there without a connection too. */
fetch("/static/icons.svg").then(async (answer) => {
  const symbols = picture(await answer.text());
  symbols.setAttribute("class", "unseen");
  document.body.append(symbols);
});
