/** One session on the screen: its board, what is said, and what can be done next. */

import { Board } from "./board.js";
import { STILL, icon, languageList, make, renew, words } from "./page.js";
import { Reader, play } from "./sound.js";

const FORWARD = ["next", "new"]; // icons of the buttons that go on when nothing else is to do
const CHOICES = { lesson: "lessons", continue: "next", start: "next", with: "people", leave: "end" }; // icons by the first word of a choice
const SIGNS = { right: "check", wrong: "cross" };
const PACE = 1000; // milliseconds for which each board of a replay is shown; the last one longer
const STARS = 24; // stars that a win lets fall
const stonesOf = (board) => board.points.filter(({ stone }) => stone).length;
const below = (element) => element?.getBoundingClientRect().bottom ?? 0;

export class Session {
  /**
   * `act` gets an action of the view, and returns a promise of the answer; `lead` gets the number of the board of a
   * replay that all screens show, or null. Without it a page goes through a replay for itself.
   */
  constructor(root, act, lead = null) {
    this.root = root;
    this.act = act;
    this.lead = lead;
    this.held = false; // whether the teacher chooses which board of a replay is shown
    this.waiting = false; // whether an action is under way
    this.played = 0; // the key of the last replay that was played
    this.at = null; // the number of the board of the replay that is shown; null for the board of the session
    this.board = new Board((vertex) => this.do({ point: vertex }));
    for (const kind of ["click", "keydown"]) this.board.root.addEventListener(kind, (event) => this.interrupt(event), true);
    this.celebrated = 0; // the key of the last win that was celebrated
    this.title = make("h1");
    this.name = make("p", { className: "name", translate: false });
    this.stars = make("p", { className: "stars" });
    this.first = make("div", { className: "first" });
    this.second = make("div", { className: "second" });
    this.goal = make("p", { className: "goal" });
    this.turn = make("p", { className: "turn", role: "status" });
    this.said = make("div", { className: "said", role: "status" });
    this.steps = make("div", { className: "steps" });
    this.answers = make("div", { className: "answers" });
    this.talk = make("div", { className: "talk" }, this.said, this.steps, this.answers);
    this.buttons = make("div", { className: "buttons" });
    const titles = make("div", { className: "titles" }, make("div", {}, this.name, this.stars), this.title);
    const head = make("header", {}, this.first, titles, this.second);
    this.place = make("div", { className: "place" }, this.board.root);
    this.read = make("button", { type: "button", className: "read", hidden: true });
    this.reader = new Reader(this.read, () => this.texts());
    const aim = make("div", { className: "aim" }, this.goal, this.turn, this.read);
    root.append(head, aim, this.place, this.talk, this.buttons);
    this.talk.addEventListener("scroll", () => this.cut());
    addEventListener("resize", () => this.view && this.arrange(true));
  }

  async do(action) {
    if (this.waiting) return;
    this.waiting = true;
    this.root.classList.add("waiting");
    const answer = await this.act(action);
    this.waiting = false;
    this.root.classList.remove("waiting");
    if (answer.error) this.say([{ text: answer.error, tone: "wrong" }]);
  }

  draw(view) {
    const focused = document.activeElement?.dataset?.key;
    const before = this.view;
    this.view = view;
    this.title.textContent = view.title ?? "";
    this.name.textContent = view.name ?? "";
    this.drawStars(view.stars ?? 0);
    this.goal.textContent = view.task;
    const wait = view.busy || view.waits;
    this.drawTurn(view.turn, Boolean(wait));
    const urgent = ({ tone }) => tone !== "plain"; // what counts stands before the wait
    const rest = view.said.filter((sentence) => !urgent(sentence));
    this.say(wait ? [...view.said.filter(urgent), { text: wait, tone: "busy" }, ...rest] : view.said, view.told);
    this.drawBoard();
    this.drawAnswers(view);
    this.drawButtons(view);
    this.arrange(!view.busy || !before); // while something is worked out, the board keeps its size
    renew(this.read, words.read, () => [icon("read"), make("span", {}, words.read ?? "")]);
    this.reader.look();
    if (before) this.follow(before);
    this.celebrated = view.won;
    if (focused) this.root.querySelector(`[data-key='${CSS.escape(focused)}']`)?.focus();
  }

  /**
   * Make the board smaller if the text below has too little room: one to play on for the first sentence alone, unless
   * that tells of moves that were played out. It grows again with another task only, so that it does not jump.
   */
  fit() {
    const { root, talk, place, said, steps, view } = this;
    talk.scrollTop = 0; // a new text begins at its top, and is measured there
    root.style.setProperty("--less", "0px");
    const playing = view.board?.live || view.busy || view.waits;
    const text = playing && !view.replay ? said.firstChild : talk;
    const most = Math.min((playing ? 0.25 : 0.5) * place.offsetHeight, place.offsetHeight - 200);
    const fitted = [view.title, innerWidth, innerHeight].join();
    let less = fitted === this.fitted ? Math.max(0, Math.min(this.less, most)) : 0;
    root.style.setProperty("--less", `${less}px`);
    while (less < most) {
      const end = Math.max(below(text), below(steps.firstChild));
      const more = text === talk ? talk.scrollHeight - talk.clientHeight : end - below(talk);
      if (more <= 0) break;
      less = Math.min(less + more, most);
      root.style.setProperty("--less", `${less}px`);
      if (text !== talk) break;
    } // more than once, because a text without any room does not say how much it needs
    Object.assign(this, { fitted, less });
    const scrolls = talk.scrollHeight > talk.clientHeight + 1; // a pixel too many is the browser's rounding
    talk.tabIndex = scrolls ? 0 : -1;
    talk.classList.toggle("scrolls", scrolls);
  }

  arrange(fits) {
    this.talk.style.borderBottom = "";
    if (fits) this.fit();
    this.cut();
  }

  /** Let the text below the board end with a whole line. */
  cut() {
    const { talk, said } = this;
    talk.style.borderBottom = "";
    if (!talk.classList.contains("scrolls")) return;
    const end = below(talk);
    const lines = [...said.children].flatMap((sentence) => {
      const range = document.createRange();
      range.selectNodeContents(sentence.lastChild);
      return [...range.getClientRects()];
    });
    const line = lines.find((box) => box.top < end && box.bottom > end + 1);
    if (line) talk.style.borderBottom = `${end - line.top}px solid transparent`;
  }

  /** Let hear what has happened on the board since the last view, and celebrate a new win. */
  follow({ board: before, task, said }) {
    const { board, won, replay } = this.view;
    const news = JSON.stringify([task, said]) !== JSON.stringify([this.view.task, this.view.said]);
    if (news) this.reader.stop();
    if (before && board && !replay && before.svg !== board.svg) {
      const more = stonesOf(board) - stonesOf(before);
      if (board.taken.length) this.hear("capture");
      else if (more === 1 || more === 2) this.hear("stone");
    }
    if (won && won !== this.celebrated) this.celebrate();
  }

  hear(name) {
    if (this.view.sound) play(name);
  }

  /** Let stars fall for two seconds; where no motion is wanted, they stand. */
  celebrate() {
    this.hear("win");
    const star = (_, n) => {
      const drawing = icon("star", "star");
      const [left, top, animationDelay] = [`${(n * 61) % 97}%`, `${(n * 37) % 83}%`, `${(n % 6) / 12}s`];
      Object.assign(drawing.style, { left, top, animationDelay });
      return drawing;
    };
    const sky = make("div", { className: "sky", "aria-hidden": "true" }, ...Array.from({ length: STARS }, star));
    this.root.append(sky);
    setTimeout(() => sky.remove(), 2000);
  }

  /** The stars that a child has, as a drawing and a number. */
  drawStars(count) {
    const parts = () => [icon("star"), make("span", { className: "unseen" }, words.stars), make("span", {}, `${count}`)];
    renew(this.stars, [count, words.stars], () => (count ? parts() : []));
  }

  /** What can be read aloud: what is to be done, and what is said. */
  texts() {
    const { title, task, turn, said, question, choices = [] } = this.view;
    const sentences = (said ?? []).map(({ text }) => text);
    return [task || title, turn?.text, ...sentences, question?.text, ...choices.map(({ label }) => label)];
  }

  /** `told`: the count of the class when it was said; what is said again is shown as new. */
  say(said, told) {
    const line = ({ text, tone }) =>
      make("p", { className: tone }, SIGNS[tone] ? icon(SIGNS[tone]) : null, make("span", {}, text));
    renew(this.said, [said, told], () => said.map(line));
  }

  /** Say whose turn it is, as a stone, if it is a side's, and as words; while a child waits, their place stays free. */
  drawTurn(turn, waits) {
    const stone = () => (turn.stone ? [make("span", { className: `stone ${turn.stone}` })] : []);
    const parts = () => [...stone(), make("span", {}, turn.text)];
    renew(this.turn, turn, () => (turn ? parts() : []));
    this.turn.parentNode.classList.toggle("kept", Boolean(turn) || waits);
  }

  /** Draw the board, and play a new replay on it. */
  drawBoard() {
    const { board, replay } = this.view;
    this.root.classList.toggle("bare", !board);
    this.place.hidden = !board;
    if (!board) this.halt();
    else if (!replay) this.takeBack();
    else if (replay.at !== null) this.hold(replay);
    else if (this.played !== replay.key) this.replay(replay.key);
    else if (this.at === null || this.held) this.takeBack();
    renew(this.steps, [words.step, replay?.key, replay?.at], () => (replay ? this.stepButtons(replay) : []));
  }

  /** The buttons beside a replay: for this page alone, or for the teacher, whose board all see. */
  stepButtons({ at, frames }) {
    if (!this.lead) return at === null ? [this.button({ label: words.step, icon: "step" }, () => this.step())] : [];
    const next = at === frames.length - 1 ? null : (at ?? 0) + 1;
    return [
      this.button({ label: words.move_back, icon: "back", disabled: !at }, () => this.lead(at - 1)),
      this.button({ label: words.move_next, icon: "step" }, () => this.lead(next)),
    ];
  }

  /** Show the board of a replay that the teacher has chosen. */
  hold({ key, at }) {
    this.halt();
    this.played = key;
    this.held = true;
    this.showFrame(at);
  }

  /** Play the moves out, one after the other, and take them back; where no motion is wanted, show their numbers. */
  replay(key) {
    this.halt();
    this.played = key;
    if (STILL.matches) this.showNumbers();
    else this.play(0);
  }

  play(at) {
    this.showFrame(at);
    if (at) this.hear(this.view.replay.frames[at].taken.length ? "capture" : "stone");
    const last = at === this.view.replay.frames.length - 1;
    this.timer = setTimeout(() => (last ? this.takeBack() : this.play(at + 1)), last ? 2 * PACE : PACE);
  }

  /**
   * Show the next board of the replay until the button is tapped again; after the last one that of the session. The
   * first one is the board before the moves, unless that is shown already.
   */
  step() {
    const { board, replay } = this.view;
    const begins = this.at === null && this.drawing(replay.frames[0]) !== board.svg;
    const next = begins ? 0 : (this.at ?? 0) + 1;
    this.halt();
    if (next < replay.frames.length) this.showFrame(next);
    else this.takeBack();
  }

  showFrame(at) {
    this.at = at;
    this.show(this.view.replay.frames[at]);
  }

  showNumbers() {
    const { labels, numbers } = this.view.replay;
    this.at = 0;
    this.show(numbers, labels);
  }

  /** The drawing of a board of a replay: runs of lines of the board's own drawing, and new lines. */
  drawing(frame) {
    const own = this.view.board.svg.split("\n");
    return frame.lines.map((line) => (Array.isArray(line) ? own.slice(...line).join("\n") : line)).join("\n");
  }

  show(frame, labels = {}) {
    const { board } = this.view;
    const svg = this.drawing(frame);
    const points = board.points.map((point) => ({ ...point, label: labels[point.vertex] ?? point.label }));
    this.board.draw({ ...board, svg, taken: frame.taken, points }, false);
  }

  /** Show the board of the session again. */
  takeBack() {
    this.halt();
    this.board.draw(this.view.board, this.view.board.live, this.view.turn?.stone);
  }

  /** End a replay by a tap on the board or by Enter there, which is no move then. */
  interrupt(event) {
    if (this.at === null || (event.key && !["Enter", " "].includes(event.key))) return;
    event.stopPropagation();
    event.preventDefault();
    this.takeBack();
  }

  halt() {
    clearTimeout(this.timer);
    this.at = null;
    this.held = false;
  }

  drawAnswers({ said, question, number, choices, path, languages, language }) {
    const list = () => languageList(languages, language, (code) => this.do({ language: code }));
    const content = [said, question, number, choices, path, languages, language];
    const answers = () => [...this.answersOf(said, question, number), ...this.choicesOf(choices ?? [], path ?? [])];
    renew(this.answers, content, () => [...answers(), list()].filter(Boolean));
  }

  answersOf(said, question, number) {
    const parts = [];
    if (question) {
      const answers = question.answers.map((answer) => this.button({ ...answer, main: answer.main ?? true }));
      if (!said.some(({ text }) => text === question.text)) parts.push(make("p", { className: "asked" }, question.text));
      parts.push(make("div", { className: "question" }, ...answers));
    }
    if (number) {
      const digits = Array.from({ length: number.most + 1 }, (_, n) => this.button({ do: { number: n }, label: `${n}` }));
      parts.push(make("div", { className: "digits", role: "group", "aria-label": words.answer ?? "" }, ...digits));
    }
    return parts;
  }

  /** What can be begun: the main choice, the path of the lessons, and the rest, which is smaller. */
  choicesOf(choices, path) {
    const list = (those, name) => make("div", { className: `choices ${name}` }, ...those.map((choice) => this.choice(choice)));
    const step = ({ do: action, number, state, label }) => {
      const sign = state === "done" ? icon("check") : make("span", { "aria-hidden": "true" }, `${number}`);
      const button = make("button", { type: "button", onclick: () => this.do(action) }, sign);
      button.append(make("span", { className: "unseen" }, label));
      return make("li", { className: state }, button);
    };
    const [main, rest] = [true, false].map((is) => choices.filter((choice) => Boolean(choice.main) === is));
    const steps = path.length ? [make("ol", { className: "path" }, ...path.map(step))] : [];
    return [...(main.length ? [list(main, "few")] : []), ...steps, ...(rest.length ? [list(rest, main.length ? "rest" : "")] : [])];
  }

  choice(choice) {
    const text = make("span", { className: "text" }, make("b", {}, choice.label));
    if (choice.note) text.append(make("small", {}, choice.note));
    const [kind] = choice.do.choose.split("-");
    const button = this.button({ do: choice.do, label: "", icon: CHOICES[kind] ?? kind, main: choice.main && !this.view.question });
    button.lastChild.replaceWith(text);
    return button;
  }

  /** Draw the buttons of the session; the one that goes on is large when the board waits for nothing. */
  drawButtons({ screen, name, hand, buttons = [], board, question }) {
    const home = { do: { home: true }, label: words.home, icon: "home" };
    const raise = { do: { hand: !hand }, label: words.hand, icon: "hand", pressed: Boolean(hand) };
    this.fill(this.first, screen === "session" ? [home] : []);
    this.fill(this.second, name && screen ? [raise] : []);
    const idle = !board?.live && !question;
    const forward = idle && FORWARD.find((icon) => buttons.some((button) => button.icon === icon && !button.disabled));
    const useful = forward || question ? buttons.filter(({ disabled }) => !disabled) : buttons;
    this.fill(this.buttons, useful.map((button) => ({ ...button, main: button.icon === forward })));
  }

  fill(element, buttons) {
    renew(element, buttons, () => buttons.map((button) => this.button(button)));
  }

  button({ do: action, label, icon: name, disabled, pressed, main }, run = () => this.do(action)) {
    const button = make("button", { type: "button", disabled: Boolean(disabled) });
    if (main) button.className = "main";
    if (pressed !== undefined) button.setAttribute("aria-pressed", String(pressed));
    if (name) button.append(icon(name));
    button.append(make("span", {}, label));
    button.dataset.key = action ? JSON.stringify(action) : name;
    button.onclick = run;
    return button;
  }
}
