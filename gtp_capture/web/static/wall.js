/** The projector's page: the way into the class, or a board for all. */

import { Link, lose, picture, words } from "./link.js";
import { Session } from "./session.js";

const [stop, door, root] = ["stop", "door", "session"].map((name) => document.querySelector(`.${name}`));
const session = new Session(root, async () => ({}));

new Link(({ view }) => {
  stop.hidden = !(view.class.paused || view.class.ended) || Boolean(view.board);
  door.hidden = !stop.hidden || Boolean(view.board);
  root.hidden = !view.board;
  document.title = view.title || words.welcome;
  stop.querySelector("h1").textContent = view.class.ended ? words.ended : words.pause;
  door.querySelector(".word").textContent = view.class.word;
  door.querySelector(".address").textContent = view.class.address;
  door.querySelector(".qr").replaceChildren(picture(view.class.qr));
  if (!root.hidden) session.draw({ title: view.title, said: view.said, boards: [{ ...view.board, live: false }] });
}, lose);
