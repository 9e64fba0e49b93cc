// Drives GTP engines with the client library that Sabaki is built on. The engine's command follows the script's
// name; a JSON array of steps comes over stdin; one JSON line with the result of each step goes to stdout.
import {readFileSync} from 'node:fs'
import Board from '@sabaki/go-board'
import gtp from '@sabaki/gtp'

const [path, ...args] = process.argv.slice(2)
const engines = new Map()
const other = color => (color === 'B' ? 'W' : 'B')

// Sabaki's order: all four at once, without waiting for answers.
const GREETING = ['name', 'version', 'protocol_version', 'list_commands']

async function attach({engine}) {
  const controller = new gtp.Controller(path, args)
  const seen = {controller, tracker: new gtp.ControllerStateTracker(controller), stderr: [], sent: []}
  controller.on('stderr', ({content}) => seen.stderr.push(content))
  controller.on('command-sent', ({command}) => seen.sent.push([command.name, ...command.args].join(' ')))
  controller.start()
  seen.pid = controller.process.pid
  engines.set(engine, seen)
  const answers = await Promise.all(GREETING.map(name => controller.sendCommand({name})))
  return {pid: seen.pid, answers: answers.map(plain)}
}

// With patience 0 the library sends `quit` and its termination signal at once.
async function stop({engine, patience = 10000}) {
  const {controller, pid} = engines.get(engine)
  // The library reports the exit code under the name of signal.
  const {signal} = await controller.stop(patience)
  return {code: signal, alive: isAlive(pid)}
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

// Send commands without waiting for the answers, which may never come.
async function leave({engine, commands}) {
  for (const c of commands) engines.get(engine).controller.sendCommand(c).catch(() => {})
  await new Promise(resolve => setTimeout(resolve, 300))
  return {}
}

async function sync({engine, state}) {
  const {tracker} = engines.get(engine)
  try {
    await tracker.sync(state)
    return {state: tracker.state}
  } catch (error) {
    return {failed: error.message}
  }
}

async function ask({engine, commands}) {
  const answers = []
  for (const command of commands) answers.push(plain(await engines.get(engine).tracker.queueCommand(command)))
  return {answers}
}

async function burst({engine, commands}) {
  const answers = await Promise.all(commands.map(c => engines.get(engine).controller.sendCommand(c)))
  return {answers: answers.map(plain)}
}

// Analysis as Sabaki runs it: lines are collected until the next command ends it.
async function analyze({engine, color, reports = 3}) {
  const {tracker, controller} = engines.get(engine)
  const lines = []
  let enough
  const heard = new Promise(resolve => (enough = resolve))
  const analysis = controller.sendCommand({name: 'analyze', args: [color, '10']}, ({line, end}) => {
    lines.push(line)
    if (end || lines.filter(l => l.startsWith('info ')).length >= reports) enough()
  })
  await heard
  const next = plain(await controller.sendCommand({name: 'protocol_version'}))
  const {error} = await analysis
  const sent = plain(await tracker.queueCommand({name: 'name'}))
  return {lines, next, error: !!error, after: sent}
}

// A game of engines as Sabaki plays it: before each genmove the engine is synchronised with the game's history.
async function game({black, white = black, state, most = 1000}) {
  const players = {B: black, W: white}
  const history = [...(state.history ?? [])]
  let color = 'B'
  while (history.length < most) {
    await engines.get(players[color]).tracker.sync({...state, history})
    const answer = await genmove(players[color], color)
    if (answer.error || answer.content === 'resign') break
    history.push({name: 'play', args: [color, answer.content]})
    color = other(color)
  }
  // Both engines stay attached, and the user may ask for moves again: the winner's, then the loser's twice.
  const asked = [await genmove(players[other(color)], other(color))]
  for (const _ of [1, 2]) asked.push(await genmove(players[color], color))
  const scores = []
  for (const name of new Set([black, white])) {
    scores.push(plain(await engines.get(name).tracker.queueCommand({name: 'final_score'})))
  }
  const moves = history.map(({args}) => args)
  return {loser: color, moves, asked, scores, judged: judge(state.boardsize, moves)}
}

async function genmove(engine, color) {
  return plain(await engines.get(engine).tracker.queueCommand({name: 'genmove', args: [color]}))
}

// The winner by Sabaki's board: the first capture, a pass (which hands over a stone), or no play left.
function judge([width, height], moves) {
  let board = Board.fromDimensions(width, height)
  for (const [index, [color, text]] of moves.entries()) {
    const sign = color === 'B' ? 1 : -1
    const end = (winner, cause) => ({winner, cause, moves: index + 1})
    if (text.toLowerCase() === 'pass') return end(other(color), 'pass')
    const vertex = board.parseVertex(text)
    if (!board.has(vertex)) return end(null, `${text} is no vertex`)
    try {
      board = board.makeMove(sign, vertex, {preventOverwrite: true, preventSuicide: true})
    } catch (error) {
      return end(null, `${text}: ${error.message}`)
    }
    if (board.getCaptures(sign) > 0) return end(color, 'capture')
    if (!hasPlay(board, -sign)) return end(color, 'no move')
  }
  return {winner: null, cause: 'undecided', moves: moves.length}
}

function hasPlay(board, sign) {
  return board.signMap.some((row, y) =>
    row.some((stone, x) => stone === 0 && !board.analyzeMove(sign, [x, y]).suicide)
  )
}

function plain({content, error}) {
  return {content, error: !!error}
}

const STEPS = {attach, stop, sync, ask, burst, leave, game, analyze}

for (const step of JSON.parse(readFileSync(0, 'utf8'))) {
  for (const seen of engines.values()) seen.sent.length = 0
  const result = await STEPS[step.do](step)
  // Lines written to stderr before the last answer are read in the next two turns of the event loop.
  for (const _ of [1, 2]) await new Promise(resolve => setImmediate(resolve))
  const seen = engines.get(step.engine ?? step.black)
  console.log(JSON.stringify({...result, sent: seen.sent, stderr: seen.stderr}))
}
