// Takes the picture of Sabaki: node picture.mjs SABAKI_FOLDER OUTPUT [ENGINE] [CHROMIUM]; see README.md.
import {spawn} from 'child_process'
import fs from 'fs'
import http from 'http'
import {createRequire} from 'module'
import path from 'path'
import {fileURLToPath} from 'url'

const [folder, output, engine = 'gtp-capture', executablePath = '/usr/bin/chromium'] = process.argv.slice(2)
const here = path.dirname(fileURLToPath(import.meta.url))
const root = path.resolve(folder)
const require = createRequire(path.join(root, 'package.json'))
const {build} = require('esbuild')
const {chromium} = require('playwright-core')

const GAME = '(;GM[1]FF[4]CA[UTF-8]SZ[5]RU[first-capture]PB[Anna]PW[Capture Go 00 follows you];B[cc];W[dc];B[dd];W[cb])'
const PLAY = [4, 2] // E3
const SETTINGS = {
  'app.lang': 'en',
  'app.startup_check_updates': false,
  'board.show_analysis': true,
  'engines.list': [{name: 'Capture Go 00 follows you', path: engine, args: '--level adapt --seed 3', commands: ''}],
  'game.default_board_size': 5,
  'sound.enable': false,
  'view.animated_stone_placement': false,
  'view.fuzzy_stone_placement': false,
  'view.leftsidebar_width': 300,
  'view.show_comments': true,
  'view.show_coordinates': true,
  'view.show_graph': true,
  'view.show_leftsidebar': true,
  'view.show_menubar': false,
  'view.sidebar_width': 230,
}
const TYPES = {'.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.svg': 'image/svg+xml', '.wasm': 'application/wasm'}
const BUILTINS = ['electron', 'fs', 'path', 'events', 'child_process', 'string_decoder', 'stream', 'util', 'os', 'url', 'readline', 'buffer']

/** Return Sabaki's default settings, from its own source. */
function defaults() {
  const source = fs.readFileSync(path.join(root, 'src/setting.js'), 'utf8')
  const start = source.indexOf('let defaults = {')
  const app = {getLocale: () => 'en', getPath: () => ''}
  return Function('app', 'path', `${source.slice(start, source.indexOf('\n}\n', start) + 2)}; return defaults`)(app, path)
}

/** Return the renderer and the shim as text; the logger and two modules for other systems are left out. */
async function bundles() {
  const stub = (text) => ({contents: text, loader: 'js'})
  const left = {
    winston: `const f = () => ({}); Object.assign(f, {combine: f, timestamp: f, printf: f})
      module.exports = {format: f, createLogger: () => ({log() {}, add() {}, clear() {}, close() {}}), transports: {File: class {}}}`,
    rimraf: 'export const rimraf = async () => {}',
    'fix-path': 'export default () => {}',
  }
  const plugin = {
    name: 'left out',
    setup(built) {
      built.onResolve({filter: /^(winston|rimraf|fix-path)$/}, ({path: name}) => ({path: name, namespace: 'left'}))
      built.onLoad({filter: /.*/, namespace: 'left'}, ({path: name}) => stub(left[name]))
    },
  }
  const common = {bundle: true, write: false, platform: 'browser', format: 'iife', absWorkingDir: root, nodePaths: [path.join(root, 'node_modules')]}
  const shim = await build({...common, entryPoints: [path.join(here, 'shim.js')], alias: {stream: 'stream-browserify'},
    define: {global: 'window', process: '__process'}, banner: {js: 'window.__process = {env: {}, nextTick: queueMicrotask, cwd: () => "/"};'}})
  const preact = {react: 'preact/compat', 'react-dom': 'preact/compat', 'react/jsx-runtime': 'preact/jsx-runtime'}
  const app = await build({...common, entryPoints: ['src/components/App.js'], alias: preact, plugins: [plugin],
    define: {global: 'window', __dirname: '"/"', 'process.env.SABAKI_E2E': '"1"'},
    external: [...BUILTINS.flatMap((name) => [name, `node:${name}`]), '@sabaki/i18n', 'iconv-lite', 'moment']})
  return {'/shim.js': shim.outputFiles[0].text, '/bundle.js': app.outputFiles[0].text}
}

const scripts = await bundles()
const values = `window.__settings = ${JSON.stringify({...defaults(), ...SETTINGS})}
  window.__version = ${JSON.stringify(require('./package.json').version)}`
const index = fs.readFileSync(path.join(root, 'index.html'), 'utf8')
const pages = {...scripts, '/': index.replace('<script src', `<script>${values}</script><script src="./shim.js"></script><script src`)}
const server = http.createServer((request, response) => {
  const name = path.normalize(decodeURIComponent(request.url.split('?')[0]))
  const file = path.join(root, name)
  if (!(name in pages) && !fs.existsSync(file)) return response.writeHead(404).end()
  response.setHeader('content-type', TYPES[path.extname(name)] ?? (name === '/' ? 'text/html' : 'application/octet-stream'))
  response.end(pages[name] ?? fs.readFileSync(file))
}).listen(0, 'localhost')

const browser = await chromium.launch({executablePath, args: ['--no-sandbox']})
const page = await browser.newPage({viewport: {width: 1040, height: 600}})
page.on('pageerror', (error) => console.error(error.message))
const children = []
await page.exposeFunction('__spawn', (id, command, args) => {
  const child = (children[id] = spawn(command, args))
  const tell = (kind, text) => page.evaluate((given) => window.__output(...given), [id, kind, text]).catch(() => {})
  for (const kind of ['stdout', 'stderr']) child[kind].on('data', (data) => tell(kind, data.toString()))
  child.on('exit', () => tell('exit', ''))
})
await page.exposeFunction('__write', (id, text) => void children[id].stdin.write(text))
await page.exposeFunction('__kill', (id) => void children[id].kill())
await page.goto(`http://localhost:${server.address().port}/`)
await page.waitForFunction(() => window.__sabaki != null)
await page.evaluate((sgf) => window.__sabaki.loadContent(sgf, 'sgf'), GAME)
const id = await page.evaluate(() => window.__sabaki.attachEngines(window.__settings['engines.list'])[0].id)
await page.waitForFunction(() => window.__sabaki.state.attachedEngineSyncers[0].commands.length > 0)
await page.evaluate(() => window.__sabaki.goToEnd())
await page.evaluate((id) => window.__sabaki.setState({blackEngineSyncerId: null, whiteEngineSyncerId: id}), id)
await page.waitForTimeout(2000)
await page.evaluate((play) => window.__sabaki.makeMove(play, {player: 1, generateEngineMove: true}), PLAY)
await page.waitForTimeout(6000)
await page.evaluate((id) => window.__sabaki.startAnalysis(id), id)
await page.waitForTimeout(4000)
await page.screenshot({path: output, ...(output.endsWith('.jpg') && {type: 'jpeg', quality: 85})})
console.log(await page.evaluate(() => window.__sabaki.getSGF()))
for (const child of children) child.kill()
await browser.close()
server.close()
