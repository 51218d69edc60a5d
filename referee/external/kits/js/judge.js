// Tic-tac-toe. A case is the first moves of a match: one line with one to three different cells.
const { given, show, svg, say, refuse, ask, win, draw } = require('./umpire.js')

const opening = (given.length === 1 ? given[0] : '').split(' ').map(Number)
if (opening.length > 3 || new Set(opening).size < opening.length || !opening.every(cell => cell >= 1 && cell <= 9)) {
  refuse(1, 'expected one line of one to three different cells, such as 5 1')
}

const LINES = ['123', '456', '789', '147', '258', '369', '159', '357']
const board = Array(9).fill('.')

function cell(mark, i) {
  const [x, y] = [i % 3, Math.floor(i / 3)]
  if (mark === 'X') return `<path d="M${x}.2 ${y}.2l.6 .6M${x}.8 ${y}.2l-.6 .6" stroke="#d33" stroke-width="0.1"/>`
  if (mark === 'O') return `<circle cx="${x}.5" cy="${y}.5" r="0.3" fill="none" stroke="#36c" stroke-width="0.1"/>`
  return `<rect x="${x}" y="${y}" width="1" height="1" fill-opacity="0" data-reply="${i + 1}"/>`
}

function position() {
  show([0, 3, 6].map(r => board.slice(r, r + 3).join('')).join('\n'))
  const grid = '<path d="M1 0V3M2 0V3M0 1H3M0 2H3" fill="none" stroke="currentColor" stroke-width="0.03"/>'
  svg(`<svg viewBox="0 0 3 3">${grid}${board.map(cell).join('')}</svg>`)
}

for (let turn = 0; turn < 9; turn++) {
  const [seat, mark] = [turn % 2 + 1, 'XO'[turn % 2]]
  if (turn < opening.length) {
    board[opening[turn] - 1] = mark
    continue
  }
  position()
  say(seat, board.join(''))
  const free = board.flatMap((mark, i) => mark === '.' ? [i + 1] : [])
  board[ask(seat, free) - 1] = mark
  if (LINES.some(line => [...line].every(c => board[c - 1] === mark))) {
    position()
    win(seat)
  }
}
position()
draw()
