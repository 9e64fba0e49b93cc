// What the oldest browsers that the pages work in know, by MDN's data.
//   compat.mjs script          prints a script that deletes every later interface, method and property of the page
//   compat.mjs check FILE...   prints a line for each later feature of style sheets and modules
// A style sheet may use a later feature inside `@supports`, or after a known value of the same property in the same rule.
import {readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {parse} from 'acorn'
import {parse as parseStyles, walk} from 'css-tree'

const OLDEST = {safari: 13.1, chrome: 80}
const {api, css, javascript} = createRequire(import.meta.url)('@mdn/browser-compat-data')

function isKnown(feature, name) {
  const compat = feature.__compat
  if (!compat) return true
  return Object.entries(OLDEST).every(([browser, oldest]) =>
    [compat.support[browser] ?? {}].flat().some(({version_added: added, flags, prefix = '', alternative_name: other}) => {
      const isHere = typeof added === 'string' && Number.parseFloat(added.replace('≤', '')) <= oldest
      return isHere && !flags && (other ? other === name : !prefix || name.startsWith(prefix))
    })
  )
}

const parts = feature => Object.entries(feature).filter(([name]) => name !== '__compat')

// --- Later methods ---

/** The names that are to be deleted: [path of an object, name, 'static' | 'member' | 'both']. */
function later() {
  const found = []
  const look = (path, features, kindOf) => {
    for (const [key, feature] of parts(features)) {
      const kind = path.length && kindOf(key)
      const name = key.replace(/_static$/, '')
      if (key.endsWith('_event') || name === path.at(-1)) continue
      if (!isKnown(feature, name)) found.push([path, name, kind])
      if (path.length < 2 && !/^[a-z@]/.test(key)) look([...path, key], feature, kindOf)
    }
  }
  look([], javascript.builtins, () => 'both')
  look([], api, key => (key.endsWith('_static') ? 'static' : 'member'))
  return found.sort(([first], [second]) => second.length - first.length) // members before what they are members of
}

function erase(names) {
  const typedArray = Object.getPrototypeOf(Int8Array)
  const step = (object, name) => (name === 'TypedArray' ? typedArray : object && object[name])
  for (const [path, text, kind] of names) {
    const object = path.reduce(step, window)
    const name = text.startsWith('@@') ? Symbol[text.slice(2)] : text
    const member = object && object.prototype
    const places = kind === 'member' ? [member] : kind === 'static' ? [object] : [object, member]
    if (path[0] === 'Window') places.push(window)
    for (const place of places) {
      if (!place || !Object.prototype.hasOwnProperty.call(place, name)) continue
      const value = name === 'hasOwn' && place[name] // the driver's own scripts call it: only those of the page miss it
      delete place[name]
      const get = () => (new Error().stack.includes('/static/') ? undefined : value)
      if (value) Object.defineProperty(place, name, {get, configurable: true})
    }
  }
}

// --- Style sheets ---

/** The features of this name below another one: by their keys, or by a word that their description sets as code. */
function below(feature, name, isFlex) {
  return parts(feature ?? {}).flatMap(([key, part]) => {
    if (!part.__compat || (/context_flex|flex_context/.test(key) && !isFlex)) return []
    const codes = [...(part.__compat.description ?? '').matchAll(/<code>([\w()-]+)<\/code>/g)].map(([, code]) => code)
    const isNamed = key === name || key === name.replace('()', '_function') || (key.includes('_') && codes.includes(name))
    return [...(isNamed ? [part] : []), ...below(part, name, isFlex)]
  })
}

const UNITS = {d: 'dynamic', s: 'small', l: 'large'}

function unitFeature(unit) {
  const [, size] = /^([dsl])v(?:h|w|i|b|min|max)$/.exec(unit) ?? []
  return css.types.length[size ? `viewport_percentage_units_${UNITS[size]}` : unit]
}

function* laterInValue(property, value, isFlex) {
  const nodes = []
  walk(value, node => nodes.push(node))
  const own = css.properties[property.replace(/^grid-template$/, 'grid-template-rows')]
  for (const {type, name, unit, value: sign} of nodes) {
    if (type === 'Identifier' && below(own, name, isFlex).some(feature => !isKnown(feature, name))) yield name
    if (type === 'Dimension' && !isKnown(unitFeature(unit) ?? {}, unit)) yield unit
    if (type === 'Operator' && property === 'content' && sign === '/') yield '/'
    if (type === 'Function') {
      const features = [...below(css.types, name), ...below(own, name), ...below(own, `${name}()`)]
      if (!features.some(feature => isKnown(feature, name))) yield `${name}()`
    }
  }
}

function* laterInSelector(prelude) {
  const nodes = []
  walk(prelude, node => nodes.push(node))
  for (const node of nodes) {
    if (node.type === 'NestingSelector') yield '&'
    if (!node.type.startsWith('Pseudo')) continue
    const feature = css.selectors[node.name]
    if (!feature || !isKnown(feature, node.name)) yield `:${node.name}`
    if (node.name === 'not' && node.children?.first?.children?.size > 1) yield ':not(list)'
  }
}

function* laterInMedia(prelude) {
  const nodes = []
  walk(prelude, node => nodes.push(node))
  for (const node of nodes) {
    if (node.type === 'FeatureRange') yield 'range'
    if (node.type !== 'Feature') continue
    const name = node.name.replace(/^(min|max)-/, '')
    const feature = css['at-rules'].media[name]
    if (!feature || !isKnown(feature, name)) yield `(${node.name})`
  }
}

/** The later features of a style sheet, each with its line. */
function* laterStyles(text) {
  const errors = []
  const onParseError = error => errors.push(error)
  const tree = parseStyles(text, {positions: true, parseCustomProperty: true, onParseError})
  for (const {line, message} of errors) yield `line ${line}: ${message}`
  const source = ({loc}) => text.slice(loc.start.offset, loc.end.offset)
  const lasts = rule => source(rule.prelude).split(/\s*,\s*/).map(selector => selector.split(/[\s>+~]+/).at(-1))
  const rules = []
  const displays = new Map() // the values of display by the last compound selector of a rule
  const within = [] // the at-rules and rules around a node
  walk(tree, {
    enter(node) {
      if (node.type !== 'Atrule' && node.type !== 'Rule') return
      if (!within.some(({name}) => /^(supports|.*keyframes)$/.test(name))) rules.push([node, within.some(({type}) => type === 'Rule')])
      within.push(node)
      if (node.type === 'Rule') {
        for (const {property, value} of node.block.children.toArray()) {
          if (property === 'display') for (const last of lasts(node)) displays.set(last, `${displays.get(last) ?? ''} ${source(value)}`)
        }
      }
    },
    leave(node) {
      if (node === within.at(-1)) within.pop()
    },
  })
  const mayBeFlex = rule => lasts(rule).some(last => /flex/.test(displays.get(last) ?? 'flex'))
  for (const [node, isNested] of rules) {
    const where = `line ${node.loc.start.line}`
    if (node.type === 'Atrule') {
      const feature = css['at-rules'][node.name]
      if (!feature || !isKnown(feature, node.name)) yield `${where}: @${node.name}`
      if (node.name === 'media') for (const name of laterInMedia(node.prelude)) yield `${where}: ${name}`
      continue
    }
    if (isNested) yield `${where}: a rule in a rule`
    for (const name of laterInSelector(node.prelude)) yield `${where}: ${name}`
    const known = new Set() // the properties that have a known value before
    for (const {type, property, value, loc} of node.block.children.toArray()) {
      if (type !== 'Declaration') continue
      const name = property.replace(/^-webkit-/, '')
      const names = [...laterInValue(property, value, mayBeFlex(node))]
      if (name === property && !name.startsWith('--') && !isKnown(css.properties[name] ?? {__compat: {support: {}}}, name)) names.push(name)
      if (/^(row-|column-)?gap$/.test(property) && source(value) !== '0' && mayBeFlex(node)) names.push('of what may be a flex box')
      if (!names.length) known.add(name)
      else if (!known.has(name)) for (const later of names) yield `line ${loc.start.line}: ${property}: ${later}`
    }
  }
}

// --- Modules ---

/** The later syntax of a module: acorn knows the year, and the exceptions are what Safari learned later than Chrome. */
function* laterSyntax(text) {
  const found = []
  const onToken = ({type, value, loc}) => {
    if (type.label === 'regexp' && /\(\?<[=!]/.test(value.pattern)) found.push([loc, 'lookbehind'])
    if (typeof value === 'bigint') found.push([loc, 'bigint'])
  }
  try {
    const tree = parse(text, {ecmaVersion: 2020, sourceType: 'module', locations: true, onToken})
    for (const {type, exported, loc} of tree.body) if (type === 'ExportAllDeclaration' && exported) found.push([loc, 'export * as'])
  } catch (error) {
    yield error.message
  }
  for (const [loc, name] of found) yield `line ${loc.start.line}: ${name}`
}

const [mode, ...files] = process.argv.slice(2)
if (mode === 'script') console.log(`(${erase})(${JSON.stringify(later())})`)
for (const file of files) {
  const text = readFileSync(file, 'utf8')
  for (const fault of file.endsWith('.css') ? laterStyles(text) : laterSyntax(text)) console.log(`${file}: ${fault}`)
}
