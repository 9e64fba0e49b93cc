/** The connection with the server, and the way into the class, from Safari 13.1 and Chrome 80 on. */

import { fill, icon, make, picture, renew, tag, words } from "./page.js";

const RETRY = 1000; // milliseconds between two attempts
const PROMPT = 4000; // a stream of events that says nothing for these milliseconds is held back by something on the way
const PATIENCE = 15000; // after these milliseconds a request is sent again; the server answers one for events sooner

let drawn = false; // whether a view has been drawn

/** A text that no other action has. */
function fresh() {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join("");
}

const pause = (time) => new Promise((done) => setTimeout(done, time));

/** Send a request; `end`, an AbortController, gives it up, and so does time. */
async function request(address, options, end = new AbortController()) {
  const timer = setTimeout(() => end.abort(), PATIENCE);
  try {
    const response = await fetch(address, { ...options, signal: end.signal });
    return { status: response.status, content: await response.json() };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The page's link to the server. `see` gets each message of the stream of events and each answer that has a view;
 * `lose` gets true or the reason while the server cannot be reached, and false when it can be again.
 * Where something on the way holds the stream back, the page asks for each event with a request of its own.
 */
export class Link {
  constructor(see, lose) {
    this.see = see;
    this.lose = lose;
    this.number = -1;
    this.tab = fresh();
    this.turn = 0;
    this.unheard = 0; // the number of streams, one after the other, that have brought nothing
    this.open();
    addEventListener("online", () => this.open());
    addEventListener("pageshow", (event) => event.persisted && this.open());
    document.addEventListener("visibilitychange", () => document.hidden || this.open());
  }

  /** Begin anew; the first message is a whole view. Two streams without a word are enough to do without one. */
  open() {
    if (this.isElsewhere) return;
    this.close();
    if (this.unheard > 1) {
      this.poll();
      return;
    }
    const stream = new EventSource(this.address("/events"));
    let first = true;
    this.unheard += 1;
    this.stream = stream;
    this.timer = setTimeout(() => this.poll(), PROMPT);
    stream.onmessage = (event) => {
      clearTimeout(this.timer);
      this.unheard = 0;
      this.lose(false);
      this.receive(JSON.parse(event.data), first);
      first = false;
    };
    stream.onerror = () => {
      this.close();
      this.timer = setTimeout(() => this.poll(), RETRY);
    };
  }

  close() {
    this.turn += 1;
    this.stream?.close();
    this.end?.abort();
    clearTimeout(this.timer);
  }

  address(path) {
    const { body, documentElement } = document;
    return `${path}?as=${body.dataset.page}&language=${documentElement.lang}&tab=${this.tab}`;
  }

  /** Ask for one event after the other, until a stream may work again; show why there are none. */
  async poll() {
    this.close();
    const { turn } = this;
    for (let seen = ""; ; ) {
      let answer = { content: {} };
      this.end = new AbortController();
      try {
        answer = await request(`${this.address("/next")}&seen=${seen}`, {}, this.end);
      } catch {
        // no network, or an answer that is not from the class
      }
      if (turn !== this.turn) return;
      if (answer.status === 200) {
        const { event, seen: now } = answer.content;
        this.lose(false);
        if (event) this.receive(event, !seen);
        if (turn !== this.turn) return;
        seen = now;
        if (this.unheard < 2) {
          this.open();
          return;
        }
      } else {
        this.unheard = 0; // not the stream alone fails
        this.lose(answer.content.error ?? true);
        await pause(RETRY);
        if (turn !== this.turn) return;
      }
    }
  }

  /** Hand on a message, unless a newer one was there before. */
  receive(message, first = false) {
    if (message.elsewhere) this.stopHere();
    if (this.isElsewhere) return;
    const number = message.view?.n;
    if (number !== undefined) {
      if (!first && number < this.number) return;
      this.number = number;
      if (message.view.language) document.documentElement.lang = tag(message.view.language);
      if (message.words) fill(message.words);
    }
    if (message.again) {
      this.close(); // a device without a seat has no stream
      this.timer = setTimeout(() => this.open(), message.again);
    }
    this.see(message);
    drawn = unable.hidden = true;
  }

  /** Show that another tab has taken the place of this one, which tries no more until a person wants to. */
  stopHere() {
    this.isElsewhere = true;
    this.close();
    for (const part of document.querySelectorAll("main, aside, .lost")) part.hidden = true;
    const again = make("button", { type: "button", className: "main", onclick: () => location.reload() }, words.here);
    document.body.append(make("main", { className: "stop elsewhere" }, make("h1", {}, words.elsewhere), again));
    again.focus();
  }

  /** Send something, again and again until it arrives; return the answer, which has `error` if it was refused. */
  async send(path, content) {
    const body = JSON.stringify({ n: this.number, id: fresh(), ...content });
    const headers = { "Content-Type": "application/json", "Accept-Language": document.documentElement.lang };
    for (let lost = false; ; lost = true) {
      try {
        const { status, content: answer } = await request(path, { method: "POST", body, headers });
        if (status < 500) {
          if (lost || status === 401) this.open();
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

/** Show the way into the class: its word, and its address with its code and those of other networks, or why there is none. */
export function drawDoor({ word, address, qr, networks, alone }) {
  const [code, way, sign] = ["qr", "way", "word"].map((name) => document.querySelector(`.door .${name}`));
  const line = (text, className = "", translate = true) => make("p", { className, translate }, text);
  const others = networks.map((text) => make("li", { translate: false }, text));
  const several = others.length ? [line(words.networks), make("ul", {}, ...others)] : [];
  sign.textContent = word;
  renew(code, qr, () => (qr ? [picture(qr)] : []));
  renew(way, [words.address, address, networks, alone], () =>
    alone ? [line(alone)] : [line(words.address), line(address, "address", false), ...several],
  );
}

/** The buttons stand above the line that says that the connection is lost. */
addEventListener("resize", () => {
  document.documentElement.style.setProperty("--lost", `${document.querySelector(".lost").offsetHeight}px`);
});

/** Show or hide the line that says that the connection is lost; `lost` may be the reason. */
export function lose(lost) {
  const line = document.querySelector(".lost");
  if (lost === true && !line.hidden) return;
  line.hidden = !lost;
  const reason = lost === true ? words.offline ?? line.dataset.reason : lost;
  renew(line, reason, () => (lost ? [icon("lost"), reason] : []));
  dispatchEvent(new Event("resize"));
}

/** What an unable browser says stands in the page, and comes back if a script fails before anything is drawn. */
const unable = document.querySelector(".unable");
unable.hidden = true;
for (const kind of ["error", "unhandledrejection"]) addEventListener(kind, () => (unable.hidden = drawn));

/** Take the drawings into the page, so that they are there without a connection too. */
fetch("/static/icons.svg").then(async (answer) => {
  const symbols = picture(await answer.text());
  symbols.setAttribute("class", "unseen");
  document.body.prepend(symbols); // at the end it would make the page higher than the screen
});
