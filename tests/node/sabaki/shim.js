// What Electron gives Sabaki's renderer, for a plain browser. `__spawn`, `__write` and `__kill` come from picture.mjs.
import {Buffer} from 'buffer'
import EventEmitter from 'events'
import * as path from 'path-browserify'
import * as stream from 'stream-browserify'
import * as stringDecoder from 'string_decoder'
import * as util from 'util'

const nothing = async () => {}

// --- Processes ---

const processes = []

window.__output = (id, kind, text) => {
  if (kind === 'exit') processes[id].emit('exit', null)
  else processes[id][kind].emit('data', text)
}

function pipe(more = {}) {
  return Object.assign(new EventEmitter(), {destroy() {}, end() {}, setEncoding() {}, ...more})
}

function spawn(command, args) {
  const child = new EventEmitter()
  const id = processes.push(child) - 1
  child.stdin = pipe({write: (text) => window.__write(id, text)})
  child.stdout = pipe()
  child.stderr = pipe()
  child.kill = () => window.__kill(id)
  window.__spawn(id, command, args)
  return child
}

// --- Sabaki's preload script ---

const settings = window.__settings
const listeners = new Set()
const windowCalls = {
  on: () => () => {},
  getContentSize: async () => [innerWidth, innerHeight],
  isFullScreen: async () => false,
  isMaximized: async () => false,
  isMinimized: async () => false,
  getId: async () => 1,
}

window.sabaki = {
  setting: {
    get: (key) => settings[key],
    set: async (key, value) => {
      settings[key] = value
      for (const listener of listeners) listener({key, value})
      return window.sabaki.setting
    },
    getThemes: () => ({}),
    loadThemes: async () => ({}),
    onDidChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  },
  window: new Proxy(windowCalls, {get: (calls, name) => calls[name] ?? nothing}),
  webContents: new Proxy({}, {get: () => nothing}),
  dialog: {showMessageBox: async () => ({response: 0}), showOpenDialog: nothing, showSaveDialog: nothing},
  menu: {popup: nothing},
  app: {getName: async () => 'Sabaki', getVersion: async () => window.__version, quit: nothing, cancelQuit: nothing},
}

// --- Modules of Node.js ---

const noFile = () => {
  throw new Error('there are no files')
}
const ipc = {on() {}, once() {}, send() {}, invoke: nothing, removeListener() {}, removeAllListeners() {}}
const modules = {
  electron: {ipcRenderer: ipc, shell: {}},
  fs: {existsSync: () => false, readFileSync: noFile, statSync: noFile},
  child_process: {spawn},
  events: EventEmitter,
  buffer: {Buffer},
  path,
  stream,
  string_decoder: stringDecoder,
  util,
  '@sabaki/i18n': {en: {filename: '', name: 'English', nativeName: 'English', stats: {progress: 1}}},
  'iconv-lite': {decode: String, encode: (text) => Buffer.from(text), encodingExists: () => true},
}

Object.assign(window, {
  Buffer,
  global: window,
  process: {env: {}, platform: 'linux', versions: {electron: 'none'}, argv: [], cwd: () => '/', on() {}},
  require: (name) => modules[name.replace(/^node:/, '')] ?? {},
})
window.process.nextTick = (call, ...args) => queueMicrotask(() => call(...args))
