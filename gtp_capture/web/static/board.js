/** A board: the picture of the server, and over it the points to tap or to reach with the arrow keys. */

import { STILL, make, picture, words } from "./page.js";

const FINGER = 44; // pixels between two points that a finger can tell apart
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export class Board {
  /** `play` gets the vertex of a point. */
  constructor(play) {
    this.play = play;
    this.chosen = null; // the point that a first tap has chosen
    this.points = []; // those of the board, as the server describes them
    this.at = [0, 0]; // row and column of the point that Tab reaches
    this.grid = make("div", { className: "points", role: "grid", "data-label": "board" });
    this.hint = make("p", { className: "confirm", role: "status", translate: true });
    this.root = make("div", { className: "board", translate: false }, "", this.grid, this.hint);
    this.grid.addEventListener("pointerdown", (event) => (this.pointer = event.pointerType)); // a click may not say it
    this.grid.addEventListener("click", (event) => this.tap(event));
    this.grid.addEventListener("keydown", (event) => this.press(event));
    this.grid.addEventListener("focusin", (event) => this.reach(event.target));
  }

  /** Draw a board; `stone`: the colour of the stone that a tap puts there, if it is live. */
  draw(board, live, stone = "") {
    this.live = live;
    this.grid.className = `points ${stone}`;
    this.choose(null);
    if (board.svg !== this.svg) this.show(board);
    this.place(board.points);
    this.grid.setAttribute("aria-label", words.board ?? "");
    this.grid.setAttribute("aria-disabled", String(!live));
    this.grid.hidden = !board.points.length;
  }

  /** Show a drawing; the stones that its last move has taken are lifted off. */
  show({ svg, taken }) {
    const before = this.root.firstChild;
    const drawing = picture(svg);
    const [, , width, height] = drawing.getAttribute("viewBox").split(" ").map(Number);
    this.svg = svg;
    this.root.style.setProperty("--wide", Math.min(1, width / height));
    this.root.style.setProperty("--high", Math.min(1, height / width));
    before.replaceWith(drawing); // the points stay, and with them the focus
    if (taken.length && before.viewBox?.baseVal.width === width && !STILL.matches) this.lift(before, taken);
  }

  /** Take stones of an earlier drawing off: what is left of it lies above the board for a moment. */
  lift(drawing, taken) {
    const { width, height } = drawing.viewBox.baseVal;
    const points = this.points.filter(({ vertex }) => taken.includes(vertex));
    const stone = ({ x, y }) => drawing.querySelector(`circle[cx="${Math.round(x * width)}"][cy="${Math.round(y * height)}"]`);
    const stones = points.map(stone).filter(Boolean);
    const colors = drawing.querySelector("defs");
    drawing.setAttribute("class", "lifted");
    drawing.replaceChildren(colors, ...stones);
    this.lifted?.remove();
    this.lifted = drawing;
    drawing.addEventListener("animationend", () => drawing.remove());
    this.root.append(drawing);
  }

  /** Put the points on the picture: new ones for a board of another size, else only with new labels. */
  place(points) {
    this.points = points;
    const shape = points.map((point) => [point.vertex, point.x, point.y].join()).join(";");
    if (shape !== this.shape) {
      this.shape = shape;
      const heights = [...new Set(points.map((point) => point.y))].sort((a, b) => a - b);
      this.rows = heights.map((y) => points.filter((point) => point.y === y).sort((a, b) => a.x - b.x));
      const step = this.rows[0]?.length > 1 ? this.rows[0][1].x - this.rows[0][0].x : 1;
      const rise = heights.length > 1 ? heights[1] - heights[0] : 1;
      this.cells = this.rows.map((row) => row.map((point) => this.cell(point, step, rise)));
      this.grid.replaceChildren(...this.cells.map((row) => make("div", { role: "row" }, ...row)));
      this.at = [this.cells.length >> 1, (this.cells[0]?.length ?? 0) >> 1];
    }
    const labels = Object.fromEntries(points.map((point) => [point.vertex, point.label]));
    for (const cell of this.cells.flat()) cell.setAttribute("aria-label", labels[cell.dataset.vertex]);
    if (points.length) this.cells[this.at[0]][this.at[1]].tabIndex = 0;
  }

  cell(point, step, rise) {
    const cell = make("div", { role: "gridcell", tabIndex: -1 });
    cell.dataset.vertex = point.vertex;
    const part = (value) => `${100 * value}%`;
    Object.assign(cell.style, { width: part(step), height: part(rise) });
    Object.assign(cell.style, { left: part(point.x - step / 2), top: part(point.y - rise / 2) });
    return cell;
  }

  tap(event) {
    const cell = event.target.closest("[data-vertex]");
    if (!cell || !this.live) return;
    const narrow = Math.min(cell.offsetWidth, cell.offsetHeight) < FINGER;
    if (narrow && this.pointer !== "mouse" && this.chosen !== cell) this.choose(cell);
    else this.send(cell);
  }

  press(event) {
    const step = STEPS[event.key];
    const [row, column] = this.at;
    if (step) {
      const next = this.cells[row + step[0]]?.[column + step[1]];
      next?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.live) this.send(event.target);
    } else return;
    event.preventDefault();
  }

  /** Make a point the one that Tab reaches. */
  reach(cell) {
    for (const [row, cells] of this.cells.entries()) {
      const column = cells.indexOf(cell);
      if (column >= 0) {
        this.cells[this.at[0]][this.at[1]].tabIndex = -1;
        cell.tabIndex = 0;
        this.at = [row, column];
      }
    }
  }

  /** Mark a point that a second tap confirms; null for none. */
  choose(cell) {
    this.chosen?.classList.remove("chosen");
    cell?.classList.add("chosen");
    this.chosen = cell;
    this.hint.textContent = cell ? (words.confirm ?? "") : "";
    this.hint.classList.toggle("above", cell !== null && cell.offsetTop > this.root.clientHeight / 2);
  }

  send(cell) {
    this.choose(null);
    this.play(cell.dataset.vertex);
  }
}
