/** The teacher's page: who is here, what each does, what all do next, a board of one's own, and the results. */

import { Board } from "./board.js";
import { Homework } from "./homework.js";
import { Link, drawDoor, lose } from "./link.js";
import { fill, icon, languageList, line, make, picture, renew, words } from "./page.js";
import { Session } from "./session.js";

const get = (selector) => document.querySelector(selector);
const seats = new Map(); // the seats by their numbers, as the server sent them
const cards = new Map(); // the card of each seat
const chosen = new Set(); // the numbers of the chosen seats
const task = { kind: "", values: {} }; // the activity that is being chosen
const LEAST = 96; // the least side of a board among all, in pixels
const MOST = 180; // the largest one
let view = null;
let given = ""; // what was set for all when the forms took it over
let large = null; // the number of the seat that the dialog shows
let helpFirst = true; // whether the children that need help come first
let folded = null; // whether the teacher has folded the door away; null for neither

const link = new Link(receive, lose);
const mine = new Session(
  get(".session"),
  (action) => link.send("/teach", { do: { demo: action } }),
  (at) => teach({ frame: at }),
);

const homework = new Homework(get(".homework"), (path, content) => link.send(path, content));

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
    drawHead();
  }
  if (message.demo) view.demo = message.demo;
  if (message.tries) view.tries = message.tries;
  if (message.status) view.status = message.status;
  drawAsked();
  if (!get("#mine").hidden) drawMine();
  const changed = message.view?.seats ?? message.seats ?? [];
  for (const seat of changed) seats.set(seat.seat, seat);
  if (message.view) drawTask();
  drawStatus();
  drawFold();
  drawSeats();
  if (message.view) drawPlan();
  if (changed.some((seat) => seat.seat === large)) drawLarge();
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

/** Give a dialog what it lacks where this element is not known: before Safari 15.4. */
function complete(dialog) {
  Object.defineProperty(dialog, "open", { get: () => dialog.hasAttribute("open") });
  dialog.setAttribute("role", "dialog");
  dialog.setAttribute("aria-modal", "true");
  dialog.showModal = () => {
    dialog.setAttribute("open", "");
    dialog.querySelector("button, input").focus();
  };
  dialog.close = () => {
    dialog.removeAttribute("open");
    dialog.dispatchEvent(new Event("close"));
  };
  addEventListener("keydown", (event) => event.key === "Escape" && dialog.open && dialog.close());
}

if (!get("dialog").showModal) complete(get("dialog"));

/** A dialog with a title; it ends with the button to close it, which is also the answer no to a question. */
function openDialog(title, content, no = words.close) {
  const dialog = get("dialog");
  const close = button("cross", no, () => dialog.close());
  large = null;
  dialog.className = "";
  dialog.replaceChildren(make("h2", { id: "dialog-title" }, ...[title].flat()), ...content, close);
  dialog.setAttribute("aria-labelledby", "dialog-title");
  if (!dialog.open) dialog.showModal();
}

/* The way into the class, and what holds for all. */

function drawHead() {
  const { word, trouble } = view.class;
  complain(trouble);
  document.title = `${word} · ${words.class}`;
  drawDoor(view.class);
  renew(get(".orders"), [view.class, view.language, view.languages, view.status.next], () => orders(view.class));
}

/** The door folds away when the children have something to do, or when the teacher wants it. */
function drawFold() {
  const { ended, open, question } = view.class;
  const closed = folded ?? (seats.size > 0 && (ended || !open || question || view.plan.at !== null || view.set.kind !== "free"));
  const turn = () => {
    folded = !closed;
    drawFold();
    get(".fold button").focus();
  };
  get(".door").classList.toggle("folded", closed);
  const attributes = { "aria-expanded": String(!closed) };
  renew(get(".fold"), [closed, words.way_in], () => [button(closed ? "down" : "up", words.way_in, turn, attributes)]);
}

/** What is set, how many need help, and the order of the boards. */
function drawStatus() {
  const { now, help, step, next } = view.status;
  const order = () => {
    helpFirst = !helpFirst;
    drawStatus();
    drawSeats();
    get(".status button").focus();
  };
  const change = () => button(helpFirst ? "board" : "hand", helpFirst ? words.in_order : words.help_first, order);
  const need = () => make("p", { className: "need", role: "status" }, help);
  const what = () => make("h2", {}, `${now} `, step ? make("span", { className: "step" }, step) : "");
  renew(get(".status"), [now, step, help, helpFirst, words.in_order], () => [what(), need(), change()]);
  const { question, ended } = view.class;
  const lead = () => (ended ? [] : [...answerButtons(question), ...planButtons(next, question)]);
  get(".door").classList.toggle("short", seats.size > 0 && Boolean(next || question)); // what goes on needs the place
  renew(get(".lead"), [question, ended, view.plan, next, words.reveal], lead);
}

/** The button that goes on in the plan, with the step that it begins. */
function planButtons(next, question) {
  if (!next) return [];
  const { at } = view.plan;
  const number = at === null ? 0 : at + 1;
  const go = button("next", words.plan_next, () => beginStep(number), question ? {} : { className: "main" });
  return [go, make("p", { className: "note" }, next)];
}

/** Begin a step of the plan; one that the teacher leads opens her board. */
function beginStep(number) {
  const { mine: isMine } = view.plan.steps[number];
  teach({ step: number });
  finish();
  openTab(isMine ? "mine" : "class");
}

/** What can be done with the answers to a question to all. */
function answerButtons(question) {
  if (!question) return [];
  const shown = question === "shown";
  const show = toggle("show", words.reveal, shown, () => teach({ reveal: !shown }));
  show.classList.add("main");
  return [show, button("cross", words.ask_end, () => teach({ ask: null }))];
}

/** What the teacher is asked about devices, and how often a wrong word was typed. */
function drawAsked() {
  const { claims, tries } = view;
  const answers = (seat) => [
    button("check", words.yes, () => teach({ claim: [seat, true] })),
    button("cross", words.no, () => teach({ claim: [seat, false] })),
  ];
  const asked = ({ seat, text }) => make("div", { className: "bar" }, make("p", {}, text), ...answers(seat));
  const all = button("check", words.yes_all, () => claims.forEach(({ seat }) => teach({ claim: [seat, true] })));
  renew(get(".claims"), [claims, words.yes], () => [claims.length > 1 ? all : "", ...claims.map(asked)]);
  get(".tries").textContent = tries;
}

function orders({ paused, closing: closes, allow, shown, open, ended, question }) {
  const leads = Boolean(view.status.next); // the next step of a plan is what goes on then
  if (ended) return [make("h2", {}, words.ended)];
  const hints = toggle("hint", words.hints, allow.hints, () => teach({ allow: { hints: !allow.hints } }));
  const undo = toggle("undo", words.undo, allow.undo, () => teach({ allow: { undo: !allow.undo } }));
  const sound = toggle("sound", words.sound, allow.sound, () => teach({ allow: { sound: !allow.sound } }));
  const pause = button(paused ? "next" : "pause", paused ? words.go_on : words.pause, () => teach({ pause: !paused }));
  pause.className = paused && leads ? "" : "main";
  const stop = shown === null ? null : button("cross", words.show_stop, () => teach({ show: null }), { className: leads ? "" : "main" });
  const wall = anchor("wall", words.wall, "/wall", "_blank");
  const end = button("end", words.end, () => sure(words.end_sure, ["check", words.yes, { end: true }]));
  const door = toggle("people", words.open, open, () => teach({ open: !open }));
  const names = button("rename", words.names, openNames);
  const plan = button("problems", words.plan, openPlan);
  const close = toggle("star", words.closing, closes, () => teach({ closing: !closes }));
  const list = languageList(view.languages, view.language, (language) => teach({ language }));
  const promises = anchor("help", words.promises, "/manual/class#what-the-class-promises-and-against-whom", "_blank");
  const first = question ? [] : [pause, stop]; // a question has its own buttons, and covers what they would change
  return [...first, make("div", {}, hints, undo, sound, door, wall, names, plan, close, end), list, promises].filter(Boolean);
}

/** A question before what cannot be taken back; each answer has an icon, a label and an action. */
function sure(question, ...answers) {
  openDialog(question, answers.map(([name, label, action]) => button(name, label, closing(action))), words.no);
}

/** The names that children tap: typed, or pasted from a list. */
function openNames() {
  const { list, free } = view.names;
  const field = make("textarea", { value: list.join("\n"), rows: 12, "aria-label": words.names });
  const other = make("input", { type: "checkbox", checked: free });
  const wrong = make("p", { className: "refused", role: "alert", hidden: true });
  const save = async () => {
    const { error } = await link.send("/teach", { do: { names: { list: field.value.split("\n"), free: other.checked } } });
    if (!error) get("dialog").close(); // otherwise nothing that was typed is lost
    wrong.textContent = error ?? "";
    wrong.hidden = !error;
  };
  const label = make("label", { className: "check" }, other, words.names_free);
  openDialog(words.names, [make("p", {}, words.names_list), field, wrong, label, button("check", words.keep, save, { className: "main" })]);
}

/** A label and what it is about, with the sign that the language has between them: texts or elements, in their order. */
function labelled(label, value) {
  const [before, between, after] = words.labelled.split(/\{\w+\}/);
  return [before, label, between, value, after];
}

let planBox = null; // the places of the plans of the course and of the plan in the dialog

function openPlan() {
  planBox = [make("div", { className: "bar" }), make("ol")];
  openDialog(words.plan, [make("p", {}, words.plan_none), make("div", { className: "plan" }, ...planBox)]);
  get("dialog").classList.add("one");
  drawPlan();
}

/** Let the dialog with the plan follow each change of it. */
function drawPlan() {
  if (!planBox) return;
  const [choice, list] = planBox;
  const controls = () => [...list.querySelectorAll("button, input")];
  const focus = controls().indexOf(document.activeElement);
  renew(choice, [view.activities.plans, view.plan.course, words.plan], planChoice);
  renew(list, [view.plan, words.plan], () => view.plan.steps.map(planRow));
  if (focus >= 0) (controls()[focus] ?? controls().pop() ?? get("dialog > button")).focus();
}

/** Send the plan with these steps; `extra`: what is added at its end. */
function setPlan(steps, at, extra = {}) {
  teach({ plan: { steps: steps.map((stage) => stage.do), at, ...extra } });
}

/** The plans of the course, to take or to add. */
function planChoice() {
  const { plans } = view.activities;
  const select = make("select", { name: "course", "aria-label": words.plan_course }, ...plans.map(({ label }, n) => make("option", { value: n }, label)));
  select.selectedIndex = view.plan.course;
  const course = () => ({ course: plans[select.selectedIndex].course });
  const instead = () => setPlan([], null, course());
  const ask = () => openDialog(words.plan_sure, [button("check", words.yes, () => [instead(), openPlan()])], words.no);
  const choice = make("label", {}, make("span", {}, words.plan_course), select);
  const take = button("check", words.plan_take, () => (view.plan.at === null ? instead() : ask()));
  const more = button("new", words.plan_more, () => setPlan(view.plan.steps, view.plan.at, course()));
  return [choice, take, more];
}

function planRow(stage, n) {
  const { steps, at } = view.plan;
  const before = at !== null && n < at;
  const change = (from, count, ...others) => [...steps.slice(0, from), ...others, ...steps.slice(from + count)];
  const out = () => setPlan(change(n, 1), before || (n === at && n > 0) ? at - 1 : n === at ? null : at);
  const again = () => setPlan(change(Math.max(n, at ?? 0) + 1, 0, stage), at);
  const place = { [n]: n - 1, [n - 1]: n }; // where the two steps that change places are afterwards
  const earlier = () => {
    const [first, , up] = planBox[1].children[n - 1].querySelectorAll("button");
    (up.disabled ? first : up).focus(); // the focus goes with the step
    setPlan(change(n - 1, 2, stage, steps[n - 1]), place[at] ?? at);
  };
  const time = make("input", { type: "number", min: 1, max: 90, value: stage.minutes, "aria-label": words.minutes });
  time.onchange = () => time.reportValidity() && setPlan(change(n, 1, { do: { ...stage.do, minutes: time.valueAsNumber } }), at);
  const begin = () => {
    get("dialog").close();
    beginStep(n);
  };
  const buttons = [
    button("next", words.set, begin),
    button("again", words.plan_again, again),
    button("up", words.plan_earlier, earlier, { disabled: n === 0 }),
    button("remove", words.plan_out, out),
  ];
  const current = n === at ? { "aria-current": "step" } : {};
  return make("li", current, make("b", {}, stage.text), make("div", { className: "bar" }, time, make("small", {}, words.minutes), ...buttons));
}

/** Remove children, after a question; their results stay unless the teacher wants them gone. */
function remove(numbers) {
  const [first] = numbers;
  const question =
    numbers.length > 1 ? labelled(words.remove_some, `${numbers.length}`) : labelled(nameOf(seats.get(first)), words.remove_sure);
  sure(question, ["check", words.yes, { remove: numbers }], ["remove", words.forget, { forget: numbers }]);
}

/** What closes the dialog and does an action. */
function closing(action) {
  return () => {
    get("dialog").close();
    teach(action);
  };
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
  if (name === "class") arrange();
  if (name === "mine") drawMine();
  if (name === "results") drawResults();
}

get("nav").addEventListener("keydown", (event) => {
  const names = Object.keys(TABS);
  const step = { ArrowRight: 1, ArrowLeft: names.length - 1 }[event.key];
  if (step) openTab(names[(names.indexOf(event.target.closest("[role]").getAttribute("aria-controls")) + step) % names.length]);
});

function drawMine() {
  mine.draw(view.demo);
  const show = button("show", words.show, () => teach({ show: "board" }), { disabled: view.class.shown === "board" });
  const ask = button("people", words.ask, () => teach({ ask: "board" }), { disabled: !view.demo.board?.live });
  get("#mine .second").replaceChildren(show, ask);
}

let refresh = null; // the timer of the next look at the results

/** Look at the results again while they are shown, at most once a second. */
function refreshResults() {
  if (refresh !== null) return;
  refresh = setTimeout(() => {
    refresh = null;
    if (!get("#results").hidden) drawResults();
  }, 1000);
}

async function drawResults() {
  homework.look();
  const answer = await fetch("/results").catch(() => null); // without a network the page follows when it has one again
  if (!answer) return;
  const results = await answer.json();
  renew(get(".sheets"), results, () => resultSheet(results));
}

function resultSheet({ day, columns, rows, note, hardest }) {
  const cells = (tag, row) => make("tr", {}, ...row.map((text) => make(tag, tag === "th" ? { scope: "col" } : { translate: false }, text)));
  const table = make("table", {}, make("thead", {}, cells("th", columns)), make("tbody", {}, ...rows.map((row) => cells("td", row))));
  const save = [anchor("save", words.csv, "/results.csv"), anchor("save", words.sgf, "/games.sgf")];
  const parents = anchor("people", words.report, "/report", "_blank");
  const bar = make("div", { className: "bar" }, button("results", words.print, () => print()), ...save, parents);
  const list = make("ol", {}, ...hardest.map((text) => make("li", {}, text)));
  const hard = hardest.length ? make("section", { className: "hard" }, make("h2", {}, words.hardest), list) : "";
  return [bar, make("h2", {}, `${words.results} ${day}`), hard, make("p", { className: "note" }, note), make("div", { className: "sheet", tabIndex: 0, role: "region", "aria-label": words.results }, table)];
}

/* What children do next. */

function targets() {
  return chosen.size ? [...chosen] : "all";
}

function drawTask() {
  get(".task").hidden = view.class.ended;
  const { kind, values } = task;
  if (given !== JSON.stringify(view.set)) Object.assign(values, view.set);
  given = JSON.stringify(view.set);
  renew(get(".task"), [view.activities, view.set, kind, values.lesson, chosen.size], taskRows);
}

function taskRows() {
  const activities = offered();
  const whom = make("h2", {}, ...(chosen.size ? labelled(words.for_some, `${chosen.size}`) : [words.for_all]));
  const choose = (kind) => {
    task.kind = task.kind === kind ? "" : kind;
    drawTask();
    arrange();
  };
  const all = button("check", words.select_all, () => {
    for (const number of seats.keys()) chosen.add(number);
    drawSeats();
    drawTask();
  });
  const gone = button("remove", words.remove, () => remove([...chosen]));
  const row = activities.map(({ kind, label, icon }) => toggle(icon, label, kind === task.kind, () => choose(kind)));
  const open = activities.find(({ kind }) => kind === task.kind);
  return [make("div", { className: "bar" }, whom, chosen.size ? gone : all, ...row), make("div", { className: "bar" }, ...(open ? activity(open) : []))];
}

/** The activities that can be set; each field has its name and its options, each of a value and a label. */
function offered() {
  const { lessons, themes, rules, sizes, levels } = view.activities;
  const named = (labels) => labels.map(({ key, label }) => [key, label]);
  const chosenLesson = lessons.find(({ number }) => number === task.values.lesson) ?? lessons[0];
  const pageCount = chosenLesson.pages;
  const place = (n) => (n < pageCount ? `${n + 1}` : words.numbered.replace("{value}", n + 1 - pageCount));
  const pages = Array.from({ length: pageCount + chosenLesson.problems }, (_, n) => [n + 1, place(n)]);
  const titles = lessons.map(({ number, title }) => [number, `${number}. ${title}`]);
  const pair = { rules: named(rules), size: sizes.map((size) => [size, `${size} × ${size}`]) };
  return [
    { kind: "lesson", icon: "lessons", fields: { lesson: titles, page: pages } },
    { kind: "problems", icon: "problems", fields: { theme: named(themes) } },
    { kind: "game", icon: "play", fields: { ...pair, level: named(levels) } },
    { kind: "pairs", icon: "people", fields: pair },
    { kind: "free", icon: "home", fields: {} },
  ].map((offer) => ({ ...offer, label: words[offer.kind] }));
}

function activity({ kind, fields }) {
  const given = {}; // what the fields show now
  const field = ([name, options]) => {
    const select = make("select", { name }, ...options.map(([, label], n) => make("option", { value: n }, label)));
    select.selectedIndex = Math.max(0, options.findIndex(([value]) => value === task.values[name]));
    given[name] = options[select.selectedIndex][0];
    select.onchange = () => {
      given[name] = task.values[name] = options[select.selectedIndex][0];
      if (name !== "lesson") return;
      delete task.values.page; // it was a page of another lesson
      drawTask();
      get("select[name=lesson]").focus();
    };
    return make("label", {}, make("span", {}, words[name]), select);
  };
  const doing = (action) => () => {
    action();
    finish();
  };
  const pair = (by) => doing(() => teach({ pair: { by: by ?? [[...chosen]], seats: by ? targets() : [], ...given } }));
  const set = doing(() => teach({ activity: { seats: targets(), kind, ...given } }));
  const ends = [
    button("people", words.pair_random, pair("random")),
    button("results", words.pair_level, pair("level")),
    button("next", words.round, pair("round")),
    button("check", words.pair_hand, pair(null), { disabled: chosen.size !== 2 }),
  ];
  const add = () => setPlan(view.plan.steps, view.plan.at, { add: { ...given, kind: kind === "pairs" ? "round" : kind } });
  const adds = button("new", words.plan_add, doing(add));
  const last = [...(kind === "pairs" ? ends : [button("next", words.set, set, { className: "main" })]), adds];
  return [...Object.entries(fields).map(field), ...last];
}

function finish() {
  chosen.clear();
  task.kind = "";
  given = ""; // the next form begins with what is set for all
  drawTask();
  drawSeats();
}

get(".task").addEventListener("submit", (event) => event.preventDefault());

/* The children. */

function drawSeats() {
  const before = chosen.size;
  for (const number of [...cards.keys()].filter((number) => !seats.has(number))) {
    cards.get(number).element.remove();
    cards.delete(number);
    chosen.delete(number);
  }
  if (chosen.size !== before) drawTask();
  for (const seat of seats.values()) {
    const text = JSON.stringify([seat, chosen.has(seat.seat)]);
    const card = cards.get(seat.seat);
    if (card?.text === text) continue;
    const element = drawSeat(seat);
    if (card) replace(card.element, element);
    else get(".seats").append(element);
    cards.set(seat.seat, { element, text });
  }
  get(".nobody").hidden = seats.size > 0;
  if (large !== null && !seats.has(large) && get("dialog").open) get("dialog").close();
  arrange();
}

let arranged = "";

/** Put the cards in their order; the focus stays where it is. */
function arrange() {
  const rank = (seat) => (helpFirst && seat.help ? 0 : 1);
  const order = [...seats.values()].sort((a, b) => rank(a) - rank(b) || a.seat - b.seat);
  const place = get(".seats");
  const under = [...place.children].findIndex((card) => card.matches(":hover")); // the teacher reads it, so it stays
  const held = order.findIndex(({ seat }) => cards.get(seat).element === place.children[under]);
  if (under >= 0 && held >= 0) order.splice(under, 0, ...order.splice(held, 1));
  order.forEach(({ seat }, n) => {
    const { element } = cards.get(seat);
    if (place.children[n] !== element) place.insertBefore(element, place.children[n] ?? null);
  });
  document.documentElement.classList.add("measured");
  const top = Math.round(place.getBoundingClientRect().top + scrollY); // it follows what is set, a form and a question
  const text = JSON.stringify([seats.size, innerWidth, innerHeight, top, get("#class").hidden]);
  if (arranged !== text && seats.size && !get("#class").hidden) {
    arranged = text;
    fitSeats(place);
  }
  document.documentElement.classList.remove("measured");
}

/** Make the boards as large as possible without scrolling, but not smaller than can be seen. */
function fitSeats(place) {
  const gap = 6;
  const end = 10; // below the boards
  const most = Math.max(1, Math.floor((place.clientWidth + gap) / (LEAST + 6 + gap)));
  const least = Math.min(most, Math.ceil((place.clientWidth + gap) / (MOST + 6 + gap)));
  for (let columns = least; columns <= most; columns += 1) {
    place.style.setProperty("--columns", columns);
    place.classList.toggle("narrow", innerWidth > 960 && place.clientWidth / columns < 130);
    if (place.getBoundingClientRect().bottom + scrollY <= innerHeight - end) return;
  }
}

addEventListener("resize", () => view && arrange());

/** Put a new card in the place of an old one, with the focus on the same part. */
function replace(old, element) {
  const part = document.activeElement?.closest(".seat") === old ? document.activeElement.tagName : null;
  old.replaceWith(element);
  if (part) element.querySelector(part)?.focus();
}

const nameOf = ({ name }) => make("span", { translate: false }, name);

/** The class of a text below a board: a long one is smaller, so that it has two lines at most. */
const below = (name, text) => (/\S{12}|.{25}/.test(text) ? `${name} longest` : name);

function drawSeat(seat) {
  const check = make("input", { type: "checkbox", checked: chosen.has(seat.seat) });
  check.onchange = () => {
    if (check.checked) chosen.add(seat.seat);
    else chosen.delete(seat.seat);
    drawSeats();
    drawTask();
  };
  const letters = [...seat.name].length;
  const long = letters > 9 ? "longest" : letters > 6 ? "long" : "";
  const name = make("label", {}, check, make("b", { className: long }, nameOf(seat)));
  const look = make("button", { type: "button", onclick: () => openSeat(seat.seat) });
  look.append(...(seat.svg ? [picture(seat.svg)] : []), make("span", { className: "unseen" }, nameOf(seat)));
  const help = seat.help ? button("", seat.help, () => teach({ lower: seat.seat }), { className: below("help", seat.help) }) : null;
  const away = seat.here ? null : make("p", { className: "gone" }, icon("lost"), make("span", {}, words.away));
  const aside = seat.beside ? make("span", { className: "aside", title: words.beside, role: "img", "aria-label": words.beside }, "≠") : null;
  const doing = make("p", { className: below("doing", seat.doing) }, aside, seat.doing);
  const states = [seat.help && "helps", !seat.here && "away", seat.beside && "beside", check.checked && "chosen"];
  return make("article", { className: ["seat", ...states.filter(Boolean)].join(" ") }, name, look, help ?? away ?? doing);
}

function openSeat(number) {
  const { name } = seats.get(number);
  const input = make("input", { value: name, maxLength: 20, "aria-label": words.name });
  const rename = make("form", { className: "bar" }, input, make("button", {}, icon("rename"), words.rename));
  rename.onsubmit = (event) => {
    event.preventDefault();
    closing({ rename: [number, input.value] })();
  };
  const other = () => {
    get("dialog").close();
    chosen.clear();
    chosen.add(number);
    drawSeats();
    drawTask();
    get(".task button[aria-pressed]").focus();
  };
  const grid = new Board((vertex) => teach({ ring: [number, vertex] }));
  const parts = ["goal", "said", "ring", "answers"].map((className) => make(className === "answers" ? "ol" : "div", { className }));
  const [goal, told, ring, list] = parts;
  const ask = button("people", words.ask, closing({ ask: number }), { disabled: true });
  const orders = [
    button("hint", words.give_hint, () => teach({ hint: number })),
    button("show", words.show, closing({ show: number })),
    ask,
    button("lessons", words.another, other),
    button("remove", words.remove, () => remove([number])),
  ];
  const text = make("div", { className: "tells" }, goal, told, make("h3", {}, words.answers), list, ring);
  openDialog([nameOf({ name })], [make("div", { className: "large" }, grid.root, text), make("div", { className: "bar" }, ...orders), rename]);
  large = number;
  look = { grid, goal, told, list, ring, ask };
  get("dialog").classList.add("one");
  drawLarge();
}

let look = null; // the parts of the dialog with a child

/** Let the dialog with a child follow what the child does. */
async function drawLarge() {
  const answer = await fetch(`/seat/${large}`).catch(() => null); // without a network it follows when it has one again
  if (!answer?.ok) return;
  const sheet = await answer.json();
  if (sheet.seat !== large || !get("dialog").open) return;
  const { grid, goal, told, list, ring, ask } = look;
  get("#dialog-title").replaceChildren(...labelled(nameOf(sheet), `${sheet.title} · ${words.level} ${sheet.level}`));
  goal.textContent = sheet.task;
  ask.disabled = !sheet.can_ask;
  renew(told, sheet.said, () => sheet.said.map(line));
  renew(list, sheet.answers, () => sheet.answers.map(({ text, tone }) => make("li", { className: tone }, text)));
  list.previousSibling.hidden = !sheet.answers.length;
  ring.textContent = sheet.board ? words.ring : "";
  grid.root.hidden = !sheet.board;
  if (sheet.board) grid.draw(sheet.board, sheet.board.live);
}

drawTabs("class");
const told = new MutationObserver(() => drawTabs(Object.keys(TABS).find((name) => !get(`#${name}`).hidden)));
told.observe(document.documentElement, { attributeFilter: ["lang"] });
fill({});
