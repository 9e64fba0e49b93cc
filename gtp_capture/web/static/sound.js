/** What a page lets hear: a stone, a capture and a win, made here; and texts, read by a voice that the device has itself. */

const Context = window.AudioContext ?? window.webkitAudioContext;
let context = null;

/** Browsers let a page be heard only after a tap or a key. */
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => context?.resume());

/** Play a tone after some seconds: its frequencies (Hz) at the beginning and at the end, its length (s) and volume. */
function tone(after, from, to, length, volume) {
  const begin = context.currentTime + after;
  const [source, gain] = [context.createOscillator(), context.createGain()];
  source.type = "triangle";
  source.frequency.setValueAtTime(from, begin);
  source.frequency.exponentialRampToValueAtTime(to, begin + length);
  gain.gain.setValueAtTime(volume, begin);
  gain.gain.exponentialRampToValueAtTime(0.001, begin + length);
  source.connect(gain);
  gain.connect(context.destination);
  source.start(begin);
  source.stop(begin + length);
}

const stone = (after) => tone(after, 900, 160, 0.09, 0.4);
const SOUNDS = {
  stone: () => stone(0),
  capture: () => [0, 0.1, 0.17, 0.22].forEach(stone),
  win: () => [523, 659, 784, 1047].forEach((pitch, n) => tone(n * 0.16, pitch, pitch, 0.4, 0.25)),
};

/** Play "stone", "capture" or "win". */
export function play(name) {
  if (!Context) return;
  context = context ?? new Context();
  SOUNDS[name]();
}

const speech = window.speechSynthesis;

/** A voice of the device for a language such as pt-PT; null if it has none of its own: others send the text away. */
function voiceFor(language) {
  const [kind] = language.split("-");
  const own = (speech?.getVoices() ?? []).filter((voice) => voice.localService && voice.lang.split(/[-_]/)[0] === kind);
  return own.find((voice) => voice.lang.replace("_", "-") === language) ?? own[0] ?? null;
}

/** A button that reads texts aloud and stops; `texts` returns them. It is there while there is a voice. */
export class Reader {
  constructor(button, texts) {
    this.button = button;
    this.texts = texts;
    button.onclick = () => (speech.speaking ? this.stop() : this.read());
    this.look();
    if (speech) speech.onvoiceschanged = () => this.look();
  }

  /** Show the button if the device has a voice for the language of the page. */
  look() {
    this.voice = voiceFor(document.documentElement.lang);
    this.button.hidden = !this.voice;
  }

  read() {
    const spoken = new SpeechSynthesisUtterance(this.texts().filter(Boolean).join("\n"));
    Object.assign(spoken, { voice: this.voice, lang: this.voice.lang, rate: 0.9, onend: () => this.show(false) });
    this.show(true);
    speech.speak(spoken);
  }

  stop() {
    speech?.cancel();
    this.show(false);
  }

  show(speaking) {
    this.button.setAttribute("aria-pressed", String(speaking));
  }
}
