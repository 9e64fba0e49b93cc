/** One session on the screen: its board, what is said, and what can be done next. */

import { Board } from "./board.js";
import { icon, languageList, make, picture, renew, words } from "./link.js";

const FORWARD = ["next", "new"]; // icons of the buttons that go on when nothing else is to do
const CHOICES = { lesson: "lessons", continue: "next", start: "next", with: "people" }; // icons by the first word of a choice
const SIGNS = { right: "check", wrong: "cross" };

export class Session {
  /** `act` gets an action of the view, and returns a promise of the answer. */
  constructor(root, act) {
    this.root = root;
    this.act = act;
    this.waiting = false; // whether an action is under way
    this.large = null; // the number of the board that is shown large; null for the last one
    this.board = new Board((vertex) => this.do({ point: vertex }));
    this.title = make("h1");
    this.name = make("p", { className: "name" });
    this.first = make("div", { className: "first" });
    this.second = make("div", { className: "second" });
    this.said = make("div", { className: "said", role: "status" });
    this.strip = make("div", { className: "strip" });
    this.answers = make("div", { className: "answers" });
    this.talk = make("div", { className: "talk" }, this.said, this.strip, this.answers);
    this.buttons = make("div", { className: "buttons" });
    const titles = make("div", { className: "titles" }, this.name, this.title);
    const head = make("header", {}, this.first, titles, this.second);
    this.place = make("div", { className: "place" }, this.board.root);
    root.append(head, this.place, this.talk, this.buttons);
    addEventListener("resize", () => this.view && this.fit());
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
    this.view = view;
    this.large = null;
    this.title.textContent = view.title ?? "";
    this.name.textContent = view.name ?? "";
    const wait = view.busy || view.waits;
    this.say(wait ? [{ text: wait, tone: "busy" }, ...view.said] : view.said);
    this.drawBoards();
    this.drawAnswers(view);
    this.drawButtons(view);
    this.fit();
    if (focused) this.root.querySelector(`[data-key='${CSS.escape(focused)}']`)?.focus();
  }

  /** Make a board that is only read smaller if the text below has too little room; a board to play on stays large. */
  fit() {
    const { root, talk, place, view } = this;
    root.style.setProperty("--less", "0px");
    const more = talk.scrollHeight - talk.clientHeight;
    const playing = view.boards.at(-1)?.live || view.busy || view.waits;
    if (more > 0 && !playing) {
      root.style.setProperty("--less", `${Math.min(more, 0.35 * place.offsetHeight)}px`);
    }
    talk.scrollTop = 0;
    talk.tabIndex = talk.scrollHeight > talk.clientHeight + 1 ? 0 : -1;
  }

  say(said) {
    const line = ({ text, tone }) =>
      make("p", { className: tone }, SIGNS[tone] ? icon(SIGNS[tone]) : null, make("span", {}, text));
    const paragraphs = said.flatMap(({ text, tone }) => text.split("\n\n").map((part) => ({ text: part, tone })));
    renew(this.said, said, () => paragraphs.map(line));
  }

  /** Show one board large, and the others small. */
  drawBoards() {
    const boards = this.view.boards ?? [];
    const last = boards.length - 1;
    const large = this.large ?? last;
    this.root.classList.toggle("bare", last < 0);
    this.place.hidden = last < 0;
    if (last >= 0) this.board.draw(boards[large], large === last && boards[last].live);
    const small = [...boards.keys()].filter((number) => number !== large);
    const content = small.map((number) => [number, number === last, boards[number].svg]);
    renew(this.strip, content, () => small.map((number) => this.small(boards[number], number, last)));
  }

  small(board, number, last) {
    const label = number === last ? words.smaller : words.larger;
    const button = make("button", { type: "button", className: "small" }, picture(board.svg));
    button.append(make("span", { className: "unseen" }, label ?? ""));
    button.dataset.key = `small ${number}`;
    button.onclick = () => {
      this.large = number;
      this.drawBoards();
    };
    return button;
  }

  drawAnswers({ said, question, number, choices, languages, language }) {
    const list = () => languageList(languages, language, (code) => this.do({ language: code }));
    const content = [said, question, number, choices, languages, language];
    renew(this.answers, content, () => [...this.answersOf(said, question, number, choices), list()].filter(Boolean));
  }

  answersOf(said, question, number, choices) {
    const found = [];
    if (question) {
      const answers = question.answers.map((answer) => this.button({ ...answer, main: true }));
      if (!said.some(({ text }) => text === question.text)) found.push(make("p", { className: "asked" }, question.text));
      found.push(make("div", { className: "question" }, ...answers));
    }
    if (number) {
      const digits = Array.from({ length: number.most + 1 }, (_, n) => this.button({ do: { number: n }, label: `${n}` }));
      found.push(make("div", { className: "digits", role: "group", "aria-label": words.answer ?? "" }, ...digits));
    }
    const className = choices?.length > 4 ? "choices" : "choices few";
    if (choices?.length) found.push(make("div", { className }, ...choices.map((choice) => this.choice(choice))));
    return found;
  }

  choice(choice) {
    const text = make("span", { className: "text" }, make("b", {}, choice.label));
    if (choice.note) text.append(make("small", {}, choice.note));
    const [kind] = choice.do.choose.split("-");
    const button = this.button({ do: choice.do, label: "", icon: CHOICES[kind] ?? kind });
    button.lastChild.replaceWith(text);
    return button;
  }

  /** Draw the buttons of the session; the one that goes on is large when the board waits for nothing. */
  drawButtons({ screen, name, hand, buttons = [], boards = [], question }) {
    const home = { do: { home: true }, label: words.home, icon: "home" };
    const raise = { do: { hand: !hand }, label: words.hand, icon: "hand", pressed: Boolean(hand) };
    this.fill(this.first, screen === "session" ? [home] : []);
    this.fill(this.second, name && screen ? [raise] : []);
    const idle = !boards.at(-1)?.live && !question;
    const forward = idle && FORWARD.find((icon) => buttons.some((button) => button.icon === icon && !button.disabled));
    const useful = forward || question ? buttons.filter(({ disabled }) => !disabled) : buttons;
    this.fill(this.buttons, useful.map((button) => ({ ...button, main: button.icon === forward })));
  }

  fill(element, buttons) {
    renew(element, buttons, () => buttons.map((button) => this.button(button)));
  }

  button({ do: action, label, icon: name, disabled, pressed, main }) {
    const button = make("button", { type: "button", disabled: Boolean(disabled) });
    if (main) button.className = "main";
    if (pressed !== undefined) button.setAttribute("aria-pressed", String(pressed));
    if (name) button.append(icon(name));
    button.append(make("span", {}, label));
    button.dataset.key = JSON.stringify(action);
    button.onclick = () => this.do(action);
    return button;
  }
}
