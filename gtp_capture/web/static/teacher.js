/** The teacher's page: who is here, what each does, what all do next, a board of one's own, and the results. */

import { Link, fill, icon, languageList, lose, make, picture, renew, words } from "./link.js";
import { Session } from "./session.js";

const get = (selector) => document.querySelector(selector);
const seats = new Map(); // the seats by their numbers, as the server sent them
const cards = new Map(); // the card of each seat
const chosen = new Set(); // the numbers of the chosen seats
const task = { kind: "", values: {} }; // the activity that is being chosen
let view = null;

const link = new Link(receive, lose);
const mine = new Session(get(".session"), (action) => link.send("/teach", { do: { demo: action } }));

async function teach(action) {
  complain((await link.send("/teach", { do: action })).error);
}

function complain(text) {
  get(".refused").textContent = text ?? "";
  get(".refused").hidden = !text;
}

function receive(message) {
  if (message.view) {
    view = message.view;
    seats.clear();
    drawDoor();
  }
  if (message.demo) view.demo = message.demo;
  if (!get("#mine").hidden) drawMine();
  for (const seat of message.view?.seats ?? message.seats ?? []) seats.set(seat.seat, seat);
  drawSeats();
  if (message.view) drawTask();
  refreshResults();
}

function button(name, label, run, properties = {}) {
  return make("button", { type: "button", onclick: run, ...properties }, name ? icon(name) : null, make("span", {}, label));
}

function toggle(name, label, pressed, run) {
  return button(name, label, run, { "aria-pressed": String(pressed) });
}

function anchor(name, label, href, target = "") {
  return make("a", { className: "button", href, target }, icon(name), make("span", {}, label));
}

/** A dialog with a title; it ends with the button to close it. */
function openDialog(title, ...content) {
  const dialog = get("dialog");
  const close = button("cross", words.close, () => dialog.close());
  dialog.replaceChildren(make("h2", { id: "dialog-title" }, title), ...content, close);
  dialog.setAttribute("aria-labelledby", "dialog-title");
  if (!dialog.open) dialog.showModal();
}

/* The way into the class, and what holds for all. */

function drawDoor() {
  const { word, address, qr, trouble } = view.class;
  complain(trouble);
  document.title = `${word} · ${words.class}`;
  get(".word").textContent = word;
  get(".address").textContent = address;
  renew(get(".qr"), qr, () => [picture(qr)]);
  renew(get(".orders"), [view.class, view.language, view.languages], () => orders(view.class));
}

function orders({ paused, allow, shown, open, ended }) {
  if (ended) return [make("h2", {}, words.ended)];
  const hints = toggle("hint", words.hints, allow.hints, () => teach({ allow: { hints: !allow.hints } }));
  const undo = toggle("undo", words.undo, allow.undo, () => teach({ allow: { undo: !allow.undo } }));
  const pause = button(paused ? "next" : "pause", paused ? words.go_on : words.pause, () => teach({ pause: !paused }));
  pause.className = "main";
  const stop = shown === null ? null : button("cross", words.show_stop, () => teach({ show: null }), { className: "main" });
  const wall = anchor("wall", words.wall, "/wall", "_blank");
  const end = button("end", words.end, () => sure(words.end_sure, { end: true }));
  const door = toggle("people", words.open, open, () => teach({ open: !open }));
  const list = languageList(view.languages, view.language, (language) => teach({ language }));
  return [pause, stop, make("div", {}, hints, undo, door, wall), list, end].filter(Boolean);
}

function sure(question, action) {
  const agree = button("check", words.yes, () => {
    get("dialog").close();
    teach(action);
  });
  openDialog(question, agree);
}

/* The three pages. */

const TABS = { class: "people", mine: "board", results: "results" };

function drawTabs(open) {
  const tab = ([name, drawing]) => {
    const selected = name === open;
    const attributes = { role: "tab", id: `tab-${name}`, "aria-selected": String(selected), "aria-controls": name };
    get(`#${name}`).hidden = !selected;
    get(`#${name}`).setAttribute("aria-labelledby", `tab-${name}`);
    return button(drawing, words[name], () => openTab(name), { ...attributes, tabIndex: selected ? 0 : -1 });
  };
  get("nav").replaceChildren(...Object.entries(TABS).map(tab));
  document.body.classList.toggle("wide", open !== "class");
}

function openTab(name) {
  drawTabs(name);
  get(`#tab-${name}`).focus();
  if (name === "mine") drawMine();
  if (name === "results") drawResults();
}

get("nav").addEventListener("keydown", (event) => {
  const names = Object.keys(TABS);
  const step = { ArrowRight: 1, ArrowLeft: names.length - 1 }[event.key];
  if (step) openTab(names[(names.indexOf(event.target.closest("[role]").getAttribute("aria-controls")) + step) % names.length]);
});

function drawMine() {
  const shown = view.class.shown === "board";
  mine.draw(view.demo);
  const label = shown ? words.show_stop : words.show;
  get("#mine .second").replaceChildren(toggle("show", label, shown, () => teach({ show: shown ? null : "board" })));
}

let refresh = null; // the timer of the next look at the results

/** Look at the results again while they are shown, at most once a second. */
function refreshResults() {
  refresh ??= setTimeout(() => {
    refresh = null;
    if (!get("#results").hidden) drawResults();
  }, 1000);
}

async function drawResults() {
  const { columns, rows } = await (await fetch("/results")).json();
  renew(get("#results"), [columns, rows], () => resultSheet(columns, rows));
}

function resultSheet(columns, rows) {
  const cells = (tag, row) => make("tr", {}, ...row.map((text) => make(tag, tag === "th" ? { scope: "col" } : {}, text)));
  const table = make("table", {}, make("thead", {}, cells("th", columns)), make("tbody", {}, ...rows.map((row) => cells("td", row))));
  const save = [anchor("save", words.csv, "/results.csv"), anchor("save", words.sgf, "/games.sgf")];
  const bar = make("div", { className: "bar" }, button("results", words.print, () => print()), ...save);
  return [bar, make("div", { className: "sheet", tabIndex: 0, role: "region", "aria-label": words.results }, table)];
}

/* What children do next. */

function targets() {
  return chosen.size ? [...chosen] : "all";
}

function drawTask() {
  get(".task").hidden = view.class.ended;
  renew(get(".task"), [view.activities, view.game, task, chosen.size, seats.size], taskRows);
}

function taskRows() {
  const activities = offered();
  const kinds = [...activities, { kind: "pairs", label: words.pairs, icon: "people" }];
  const whom = make("h2", {}, chosen.size ? `${words.for_some}: ${chosen.size}` : words.for_all);
  const choose = (kind) => {
    task.kind = task.kind === kind ? "" : kind;
    drawTask();
  };
  const all = button("check", words.select_all, () => {
    for (const number of seats.keys()) chosen.add(number);
    drawSeats();
    drawTask();
  });
  const row = kinds.map(({ kind, label, icon }) => toggle(icon, label, kind === task.kind, () => choose(kind)));
  const found = activities.find(({ kind }) => kind === task.kind);
  const details = found ? activity(found) : task.kind === "pairs" ? pairs() : [];
  const head = make("div", { className: "bar" }, whom, all);
  return [head, make("div", { className: "bar" }, ...row), make("div", { className: "bar" }, ...details)];
}

/** The activities that can be set; each field has its name and its options, each of a value and a label. */
function offered() {
  const { lessons, themes, rules, sizes, levels } = view.activities;
  const named = (found) => found.map(({ key, label }) => [key, label]);
  const chosenLesson = lessons.find(({ number }) => number === task.values.lesson) ?? lessons[0];
  const pageCount = chosenLesson.pages;
  const place = (n) => (n < pageCount ? `${n + 1}` : `${words.problems}: ${n + 1 - pageCount}`);
  const pages = Array.from({ length: pageCount + chosenLesson.problems }, (_, n) => [n + 1, place(n)]);
  const titles = lessons.map(({ number, title }) => [number, `${number}. ${title}`]);
  const game = { rules: named(rules), size: sizes.map((size) => [size, `${size} × ${size}`]), level: named(levels) };
  return [
    { kind: "lesson", icon: "lessons", fields: { lesson: titles, page: pages } },
    { kind: "problems", icon: "problems", fields: { theme: named(themes) } },
    { kind: "game", icon: "play", fields: game },
    { kind: "free", icon: "home", fields: {} },
  ].map((found) => ({ ...found, label: words[found.kind] }));
}

function activity({ kind, fields }) {
  const start = { ...view.game, ...task.values };
  const chosenOf = (name, options) => Math.max(0, options.findIndex(([value]) => value === start[name]));
  const field = ([name, options]) => {
    const select = make("select", { name }, ...options.map(([, label], n) => make("option", { value: n }, label)));
    select.selectedIndex = chosenOf(name, options);
    select.onchange = () => {
      task.values[name] = options[select.selectedIndex][0];
      if (name === "lesson") drawTask();
      get(`select[name=${name}]`).focus();
    };
    return make("label", {}, make("span", {}, words[name]), select);
  };
  const set = () => {
    const given = Object.entries(fields).map(([name, options]) => [name, options[chosenOf(name, options)][0]]);
    teach({ activity: { seats: targets(), kind, ...Object.fromEntries(given) } });
    finish();
  };
  return [...Object.entries(fields).map(field), button("next", words.set, set, { className: "main" })];
}

function pairs() {
  const pair = (value) => () => {
    teach({ pair: value });
    finish();
  };
  const hand = { disabled: chosen.size !== 2 };
  return [
    button("people", words.pair_random, pair({ by: "random", seats: targets() })),
    button("results", words.pair_level, pair({ by: "level", seats: targets() })),
    button("check", words.pair_hand, pair([[...chosen]]), hand),
  ];
}

function finish() {
  chosen.clear();
  task.kind = "";
  drawSeats();
  drawTask();
}

get(".task").addEventListener("submit", (event) => event.preventDefault());

/* The children. */

function drawSeats() {
  for (const number of [...cards.keys()].filter((number) => !seats.has(number))) {
    cards.get(number).element.remove();
    cards.delete(number);
    chosen.delete(number);
  }
  for (const seat of [...seats.values()].sort((a, b) => a.seat - b.seat)) {
    const text = JSON.stringify([seat, chosen.has(seat.seat)]);
    const card = cards.get(seat.seat);
    if (card?.text === text) continue;
    const element = drawSeat(seat);
    if (card) replace(card.element, element);
    else get(".seats").append(element);
    cards.set(seat.seat, { element, text });
  }
  get(".nobody").hidden = seats.size > 0;
}

/** Put a new card in the place of an old one, with the focus on the same part. */
function replace(old, element) {
  const part = document.activeElement?.closest(".seat") === old ? document.activeElement.tagName : null;
  old.replaceWith(element);
  if (part) element.querySelector(part)?.focus();
}

function drawSeat(seat) {
  const check = make("input", { type: "checkbox", checked: chosen.has(seat.seat) });
  check.onchange = () => {
    if (check.checked) chosen.add(seat.seat);
    else chosen.delete(seat.seat);
    drawSeats();
    drawTask();
  };
  const name = make("label", {}, check, make("b", {}, seat.name));
  const look = make("button", { type: "button", onclick: () => openSeat(seat.seat) });
  look.append(...(seat.svg ? [picture(seat.svg)] : []), make("span", { className: "unseen" }, seat.name));
  const help = seat.help ? make("p", { className: "help" }, icon("hand"), make("span", {}, seat.help)) : null;
  const away = seat.here ? null : make("p", { className: "gone" }, icon("lost"), make("span", {}, words.away));
  const doing = make("p", { className: "doing" }, seat.doing);
  const facts = make("p", { className: "facts" }, `${words.level} ${seat.level}`);
  const classes = ["seat", seat.help && "helps", !seat.here && "away", check.checked && "chosen"].filter(Boolean);
  return make("article", { className: classes.join(" ") }, name, look, help ?? away, doing, facts);
}

function openSeat(number) {
  const seat = seats.get(number);
  const act = (action) => () => {
    get("dialog").close();
    teach(action);
  };
  const input = make("input", { value: seat.name, maxLength: 20, "aria-label": words.name });
  const rename = make("form", { className: "bar" }, input, make("button", {}, icon("rename"), words.rename));
  rename.onsubmit = (event) => {
    event.preventDefault();
    act({ rename: [number, input.value] })();
  };
  const show = button("show", words.show, act({ show: number }), { className: "main" });
  const remove = button("remove", words.remove, () => sure(`${seat.name}: ${words.remove_sure}`, { remove: number }));
  const board = make("div", { className: "large" }, ...(seat.svg ? [picture(seat.svg)] : []));
  openDialog(`${seat.name}: ${seat.doing}`, board, make("div", { className: "bar" }, show, remove), rename);
}

drawTabs("class");
const told = new MutationObserver(() => drawTabs(Object.keys(TABS).find((name) => !get(`#${name}`).hidden)));
told.observe(document.documentElement, { attributeFilter: ["lang"] });
fill({});
