// Plays games on Sabaki's own board. Each line of stdin is a game {width, height, moves, looks}: moves are
// [sign, vertex], looks the numbers of the moves after which every point is analysed. Each line of stdout is the
// state after a move: the rows from the top, the captures of both sides, and that analysis.
import {createInterface} from 'node:readline'
import Board from '@sabaki/go-board'

const STONES = {'-1': 'O', 0: '.', 1: 'X'}

function forbidden(board, sign) {
  const found = []
  for (let y = 0; y < board.height; y++) {
    for (let x = 0; x < board.width; x++) {
      const {overwrite, suicide, ko} = board.analyzeMove(sign, [x, y])
      if (!overwrite && (suicide || ko)) found.push(board.stringifyVertex([x, y]))
    }
  }
  return found
}

for await (const line of createInterface({input: process.stdin})) {
  const {width, height, moves, looks} = JSON.parse(line)
  let board = Board.fromDimensions(width, height)
  const asked = new Set(looks)
  const lines = moves.map(([sign, vertex], index) => {
    board = board.makeMove(sign, board.parseVertex(vertex), {preventOverwrite: true})
    return JSON.stringify({
      rows: board.signMap.map(row => row.map(sign => STONES[sign]).join('')),
      captures: [board.getCaptures(1), board.getCaptures(-1)],
      valid: board.isValid(),
      forbidden: asked.has(index) ? [forbidden(board, 1), forbidden(board, -1)] : null
    })
  })
  process.stdout.write(lines.map(text => text + '\n').join(''))
}
