/** The page of a child: the form to join, sessions, and the screens that stop the work. */

import { Link, icon, languageList, lose, make, renew, tag, words } from "./link.js";
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
  stop.hidden = !(view.screen in SIGNS) || view.boards.length > 0;
  root.hidden = !form.hidden || !stop.hidden;
  document.title = [view.title, view.name].filter(Boolean).join(" · ") || words.welcome;
  if (!root.hidden) session.draw(view);
  else if (!stop.hidden) halt(view);
  else invite(view);
}

/** The form to come in. Another language is that of the page, which the stream of events then begins anew in. */
function invite({ said, languages, language }) {
  complain(said?.[0]?.text ?? "");
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

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { word, name } = Object.fromEntries(new FormData(form));
  const answer = await link.send("/join", { word, name });
  complain(answer.error ?? "");
  if (answer.error) form.elements.word.select();
  else link.open();
});
