/** Homework on the teacher's page: a file to hand out, and the codes that children bring back. */

import { icon, line, make, renew, words } from "./page.js";

const LOOK = 1000; // milliseconds between two looks while a file is being made

/** A list with labels; `chosen` is a key. */
function list(label, options, chosen) {
  const option = ({ key, label: text }) => make("option", { value: key, selected: key === chosen, translate: false }, text);
  const select = make("select", {}, ...options.map(option));
  return { select, field: make("label", {}, make("span", {}, label), select) };
}

const told = () => make("div", { role: "status" });

/** The part of the results above the table; `send` sends something to the server, and returns its answer. */
export class Homework {
  constructor(root, send) {
    this.send = send;
    [this.form, this.state, this.reading, this.answer] = [make("form", { className: "bar" }), told(), make("form", { className: "bar" }), told()];
    this.code = make("input", { autocomplete: "off", spellcheck: false, maxLength: 200 });
    this.form.onsubmit = (event) => this.make(event);
    this.reading.onsubmit = (event) => this.read(event);
    root.append(this.form, this.state, this.reading, this.answer);
  }

  /** Show what there is now, and look again while a file is being made. */
  async look() {
    clearTimeout(this.timer);
    const answer = await fetch("/homework").catch(() => null); // without a network the page follows when it has one again
    if (!answer?.ok) return;
    const view = await answer.json();
    this.draw(view);
    if (view.busy) this.timer = setTimeout(() => this.look(), LOOK);
  }

  draw({ offers, whom, children, told: lines, busy, file }) {
    const button = (name, label, disabled) => make("button", { disabled, className: "main" }, icon(name), make("span", {}, label));
    const save = () => make("a", { className: "button main", href: file }, icon("save"), make("span", {}, words.homework_save));
    renew(this.form, [offers, whom, busy, words.homework], () => {
      const [what, each] = [list(words.homework_what, offers, this.what?.select.value), list(words.homework_whom, whom, this.whom?.select.value)];
      [this.what, this.whom] = [what, each];
      return [make("h2", {}, words.homework), what.field, each.field, button("lessons", words.homework_make, busy)];
    });
    renew(this.state, [lines, file, words.homework_save], () => [...lines.map(line), ...(file ? [make("div", { className: "bar" }, save())] : [])]);
    renew(this.reading, [children, words.homework_code], () => {
      this.whose = list(words.homework_whose, children, this.whose?.select.value);
      const field = make("label", {}, make("span", {}, words.homework_code), this.code);
      return [field, this.whose.field, button("check", words.homework_read, false)];
    });
  }

  async make(event) {
    event.preventDefault();
    const answer = await this.send("/homework", { what: this.what.select.value, whom: this.whom.select.value });
    if (answer.error) renew(this.state, answer, () => [line({ text: answer.error, tone: "wrong" })]);
    else this.look();
  }

  async read(event) {
    event.preventDefault();
    const chosen = this.whose.select.value;
    const answer = await this.send("/code", { code: this.code.value, seat: chosen ? Number(chosen) : null });
    const lines = answer.told ?? [{ text: answer.error, tone: "wrong" }];
    this.answer.replaceChildren(...lines.map(line));
    if (answer.error) return;
    this.code.value = "";
    this.whose.select.value = "";
    this.code.focus();
  }
}
