/** Lessons and problems at home: every view and every answer is in the page, and nothing is asked of anyone. */

import { fill, tag, words } from "./page.js";
import { Session } from "./session.js";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"; // codes.py reads what `codeOf` makes
const HELP = ["hint", "solution"];
const SHOWN = 0; // what was done at a task: a hint or the solution was shown
const DONE = 1; // it was solved after that, or it is a page that was read
const ALONE = 2; // it was solved without

/** The values of a table, each made when it is needed; pack.py says what its entries are. */
function reader({ simple, composed }) {
  const entries = composed.split(";");
  const lists = [];
  const values = [...simple];
  const edited = (at, [base, ...edits]) => {
    const place = (ref) => (ref < 0 ? at + ref : ref);
    const list = [...refs(place(base))];
    for (let to = 0, n = 0; n < edits.length; n += 3 + edits[n + 2]) {
      to += edits[n];
      list.splice(to, edits[n + 1], ...edits.slice(n + 3, n + 3 + edits[n + 2]).map(place));
      to += edits[n + 2];
    }
    return list;
  };
  const refs = (at) => {
    if (!lists[at]) {
      const [kind, ...rest] = entries[at - simple.length].split(" ").map((digits) => parseInt(digits, 36));
      lists[at] = kind % 2 ? edited(at, rest) : rest.map((ref) => (ref < 0 ? at + ref : ref));
    }
    return lists[at];
  };
  const made = (at) => {
    const list = refs(at).map(value);
    const kind = entries[at - simple.length][0];
    if (kind < 2) return list;
    return kind < 4 ? list.join("\n") : Object.fromEntries(list[0].map((name, n) => [name, list[n + 1]]));
  };
  const value = (at) => {
    if (!(at in values)) values[at] = made(at);
    return values[at];
  };
  return value;
}

const { name, pupil, most, table, languages } = JSON.parse(document.querySelector("#data").textContent);
const value = reader(table);

/** What was done, by the number of the task; the browser keeps it, if it lets a file do so. */
class Progress {
  constructor(key) {
    this.key = key;
    this.done = {};
    this.isKept = true; // whether it is there when the page is opened again
    try {
      this.done = JSON.parse(localStorage.getItem(key)) || {};
    } catch {
      this.isKept = false;
    }
  }

  set(task, what) {
    this.done[task] = Math.max(what, this.done[task] ?? SHOWN);
    try {
      localStorage.setItem(this.key, JSON.stringify(this.done));
    } catch {
      this.isKept = false;
    }
  }
}

/** The code of how each problem was done, 0, DONE or ALONE, in groups of four characters. */
function codeOf(number, done) {
  const digits = [...name].map((c) => ALPHABET.indexOf(c)).concat(number >> 5, number & 31);
  for (let at = 0; at < done.length; at += 3) digits.push(9 * done[at] + 3 * (done[at + 1] ?? 0) + (done[at + 2] ?? 0));
  while (digits.length % 4 !== 2) digits.push(0);
  const check = digits.reduce((sum, digit) => (33 * sum + digit + 1) % 1021, 0);
  const text = [...digits, check >> 5, check & 31].map((digit) => ALPHABET[digit]).join("");
  return text.match(/.{4}/g).join(" ");
}

/** The key of the first language of the browser that is there; of several of one tongue, the same country first. */
function ownLanguage() {
  const keys = languages.map(({ key }) => key);
  const tongue = (code) => code.toLowerCase().split(/[-_]/)[0];
  const same = (wanted) => keys.find((key) => tag(key).toLowerCase() === wanted.toLowerCase());
  const like = (wanted) => keys.find((key) => tongue(key) === tongue(wanted));
  return navigator.languages.map((wanted) => same(wanted) ?? like(wanted)).find(Boolean) ?? keys[0];
}

class Homework {
  constructor(root) {
    this.root = root;
    this.progress = new Progress(`gtp-capture ${name} ${pupil}`);
    this.views = 0;
    this.session = new Session(root, async (action) => this.act(action));
    this.speak(ownLanguage());
  }

  /** Show the list of tasks in a language. */
  speak(key) {
    this.content = languages.find((content) => content.key === key);
    document.documentElement.lang = tag(key);
    fill(this.content.words);
    this.tasks = this.content.tasks;
    this.goHome();
  }

  /** Do an action of a view. */
  act(action) {
    const [[kind, given]] = Object.entries(action);
    if (kind === "language") this.speak(given);
    else if (kind === "home") this.goHome();
    else if (kind === "choose") this.choose(...given.split("-"));
    else if (kind === "copy") navigator.clipboard.writeText(given).then(() => this.press("[data-key*=copy]"), () => this.select());
    else if (this.task === undefined) this.showCode(given);
    else if (kind === "continue" || given === "next") this.open(this.next());
    else if (given === "back") this.open(this.task - 1);
    else this.answer(kind, given);
    return {};
  }

  choose(kind, number) {
    if (kind === "results" && pupil) this.showCode(pupil);
    else if (kind === "results") this.askPupil();
    else this.open(Number(number));
  }

  isOpen(number) {
    return this.tasks[number].asks && !this.progress.done[number];
  }

  anyOpen() {
    return this.tasks.some((task, n) => this.isOpen(n));
  }

  /** The task after this one; while there is an open problem, those that are solved are left out. */
  next() {
    const isNext = ({ asks }, n) => n > this.task && (!asks || this.isOpen(n) || !this.anyOpen());
    const next = this.tasks.findIndex(isNext);
    return next < 0 ? this.tasks.length : next;
  }

  /** Show a task; after the last one the list. */
  open(number) {
    if (number < 0 || number >= this.tasks.length) {
      this.goHome(true);
      return;
    }
    this.task = number;
    this.hints = 0;
    const { start, places } = value(this.tasks[number].ref);
    this.places = places;
    this.place = places[0];
    if (!this.tasks[number].asks) this.progress.set(number, DONE);
    this.show(start);
  }

  answer(kind, given) {
    const { points, numbers, words: commands } = this.place;
    if (HELP.includes(given)) this.progress.set(this.task, SHOWN);
    const hints = commands[given] ?? [];
    const [view, place, right] = kind === "point" ? points[given] : kind === "number" ? numbers[given] : hints[Math.min(this.hints, hints.length - 1)];
    this.hints = given === "hint" ? this.hints + 1 : 0;
    this.place = this.places[place];
    const solved = right && this.place.solved;
    if (solved) this.progress.set(this.task, this.task in this.progress.done ? DONE : ALONE);
    const star = solved && this.progress.done[this.task] === ALONE;
    this.show(star ? { ...view, said: [{ text: this.content.texts.star, tone: "strong" }, ...view.said] } : view);
  }

  /** Draw a view of the class; its moves are played once. */
  show(view) {
    this.views += 1;
    this.draw({ ...view, replay: view.replay && { ...view.replay, key: this.views } });
  }

  goHome(isEnd = false) {
    const { end, open, start, forgets } = this.content.texts;
    const isDone = !this.anyOpen();
    const said = [isEnd ? { text: isDone ? end : open, tone: "strong" } : { text: start, tone: "plain" }];
    if (!this.progress.isKept) said.push({ text: forgets, tone: "plain" });
    this.task = undefined;
    this.views += 1;
    this.list(said, isEnd && isDone ? this.views : 0);
  }

  /** Draw the list: the next task that is open, the code, at first below all tasks, and these; `won` as in a view. */
  list(said, won = 0) {
    const { done } = this.progress;
    const { key, title, texts } = this.content;
    const note = (n) => (!this.tasks[n].asks || !done[n] ? "" : done[n] === ALONE ? texts.alone : texts.helped);
    const choice = (kind, n, label, noted) => ({ do: { choose: `${kind}-${n}` }, label, note: noted });
    const next = this.tasks.findIndex((task, n) => !done[n]);
    const first = next < 0 ? [] : [{ ...choice("continue", next, texts.go_on, this.tasks[next].label), main: true }];
    const all = this.tasks.map(({ label, asks }, n) => choice(asks ? "problems" : "lesson", n, label, note(n)));
    const code = choice("results", 0, texts.code, "");
    const choices = this.tasks.some(({ asks }, n) => asks && done[n]) ? [...first, code, ...all] : [...first, ...all, code];
    const several = languages.map((content) => ({ key: content.key, label: content.label }));
    const shown = several.length > 1 ? several : [];
    this.draw({ screen: "home", title, task: "", said, choices, won, languages: shown, language: key });
  }

  /** Ask which child this is. */
  askPupil() {
    const { key, title, texts } = this.content;
    this.draw({ screen: "session", title, task: "", said: [{ text: texts.pupil, tone: "plain" }], number: { most }, language: key });
  }

  /** Show the code of a child. */
  showCode(child) {
    const numbers = [...this.tasks.keys()].filter((n) => this.tasks[n].asks);
    const code = codeOf(child, numbers.map((n) => this.progress.done[n] ?? 0));
    const { key, title, texts } = this.content;
    const [before, after] = texts.written.split("{code}").map((text) => ({ text: text.trim(), tone: "strong" }));
    const asked = pupil ? { text: "" } : { text: texts.pupil, tone: "plain" };
    const said = [before, { text: code, tone: "code" }, after, asked].filter(({ text }) => text);
    const buttons = navigator.clipboard ? [{ do: { copy: code }, label: texts.copy, icon: "save", pressed: false }] : [];
    const number = pupil ? null : { most }; // the digits stay: the child sees its own, and can correct it
    this.draw({ screen: "session", title, task: "", said, buttons, number, language: key });
    this.press(`[data-key='{"number":${child}}']`);
    this.root.querySelector(".code").onclick = () => this.select();
  }

  /** Select the code, to be copied by the browser's own menu. */
  select() {
    getSelection().selectAllChildren(this.root.querySelector(".code"));
  }

  press(button) {
    this.root.querySelector(button)?.setAttribute("aria-pressed", "true");
  }

  draw(view) {
    document.title = [view.title, this.content.title].filter(Boolean).join(" · ");
    const stars = this.tasks.filter((task, n) => task.asks && this.progress.done[n] === ALONE).length;
    this.session.draw({ ...view, stars });
  }
}

new Homework(document.querySelector(".session"));
