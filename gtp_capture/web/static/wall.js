/** The projector's page: the way into the class, or a board for all. */

import { Link, drawDoor, lose } from "./link.js";
import { icon, make, renew, words } from "./page.js";
import { Session } from "./session.js";

const [stop, list, door, root] = ["stop", "pairs", "door", "session"].map((name) => document.querySelector(`.${name}`));
const session = new Session(root, async () => ({}));

/** A child with its stars. */
function person(child) {
  const stars = child.stars ? make("span", { className: "stars" }, icon("star"), `${child.stars}`) : null;
  return make("span", { className: "child" }, make("b", { translate: false }, child.name), stars);
}

/** Two children who play with each other, or one alone. */
function line(pair) {
  const [first, second] = pair.children.map(person);
  return make("li", {}, first, second ? make("span", { className: "against" }, "–") : null, second ?? make("span", { className: "against" }, pair.alone));
}

new Link(({ view }) => {
  const { pairs } = view;
  stop.hidden = !(view.class.paused || view.class.ended) || view.class.closing || Boolean(view.board);
  list.hidden = !pairs.length || !stop.hidden || Boolean(view.board);
  door.hidden = !stop.hidden || !list.hidden || Boolean(view.board);
  list.querySelector("h1").textContent = view.class.closing ? view.title : words.round_title;
  renew(list.querySelector("ul"), pairs, () => pairs.map(line));
  root.hidden = !view.board;
  document.title = view.title || words.welcome;
  stop.querySelector("h1").textContent = view.class.ended ? words.ended : words.pause;
  drawDoor(view.class);
  if (!root.hidden) {
    const { title, task, said, board, replay } = view;
    session.draw({ title, task, said, board, replay, turn: null });
  }
}, lose);
