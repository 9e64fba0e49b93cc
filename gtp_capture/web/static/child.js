/** The page of a child: the form to join, sessions, and the screens that stop the work. */

import { Link, lose } from "./link.js";
import { icon, languageList, make, renew, tag, words } from "./page.js";
import { Session } from "./session.js";

const SIGNS = { paused: "eyes", waiting: "stones", closed: "stones" };
const form = document.querySelector("form");
const stop = document.querySelector(".stop");
const root = document.querySelector(".session");
const complaint = form.querySelector(".wrong");

const link = new Link(({ view }) => show(view), lose);
const session = new Session(root, (action) => link.send("/do", { do: action }));

function show(view) {
  form.hidden = view.screen !== "join";
  stop.hidden = !(view.screen in SIGNS) || Boolean(view.board);
  root.hidden = !form.hidden || !stop.hidden;
  document.title = [view.title, view.name].filter(Boolean).join(" · ") || words.welcome;
  if (!root.hidden) session.draw(view);
  else if (!stop.hidden) halt(view);
  else invite(view);
}

/** The form to come in. Another language is that of the page, which the stream of events then begins anew in. */
function invite({ said, languages, language, by_list: isByList }) {
  complain(said?.[0]?.text ?? "");
  ask(isByList);
  const list = () => languageList(languages, language, speak);
  renew(form.querySelector(".speak"), [languages, language], () => [list()].filter(Boolean));
}

function speak(language) {
  document.documentElement.lang = tag(language);
  link.open();
}

/** A screen without a board: what is so, and what can be done. */
function halt(view) {
  stop.querySelector("use").setAttribute("href", `#icon-${SIGNS[view.screen]}`);
  stop.querySelector("h1").textContent = view.title || words.welcome;
  stop.querySelector("[role]").replaceChildren(...view.said.map(({ text }) => make("p", {}, text)));
  const button = ({ do: action, label, icon: name }) =>
    make("button", { type: "button", onclick: () => link.send("/do", { do: action }) }, icon(name), label);
  stop.querySelector("div:last-child").replaceChildren(...view.buttons.map(button));
}

function complain(text) {
  complaint.textContent = text;
  complaint.hidden = !text;
}

const field = form.elements.name.closest("label");
let byList = null; // whether the form asks for the word alone, and then for a name of a list

/** Ask for the word and a name, or for the word alone. */
function ask(isByList) {
  if (byList === isByList) return;
  byList = isByList;
  field.hidden = byList;
  form.elements.name.required = !byList;
  form.querySelector(".names").replaceChildren();
}

/** The names of the class to tap, and a field for another one if it may be typed. */
function offer(names, free) {
  const tap = (name) => make("button", { type: "button", translate: false, onclick: () => enter(name) }, name);
  form.querySelector(".names").replaceChildren(make("p", {}, words.who), ...names.map(tap));
  field.hidden = !free;
  form.querySelector(".names button")?.focus();
}

async function enter(name) {
  const word = form.elements.word.value;
  const join = () => link.send("/join", name ? { word, name } : { word });
  let answer = await join();
  if (answer.cookie) answer = await join(); // the first answer has set a cookie, which the second request has to bring
  complain(answer.error ?? "");
  if (answer.error) {
    form.elements.word.select();
    return;
  }
  if (answer.names) {
    offer(answer.names, answer.free);
    return;
  }
  form.reset(); // another child may come in later
  byList = null;
  link.open();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  enter(form.elements.name.value);
});
