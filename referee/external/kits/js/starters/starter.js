// A bot for tic-tac-toe: reads the board before each of its moves, and answers with a free cell.
const lines = require('readline').createInterface({ input: process.stdin })

lines.on('line', board => { // nine characters: X, O, or . for a free cell
  const free = [...board].flatMap((mark, i) => mark === '.' ? [i + 1] : [])
  const move = free[free.length - 1] // YOUR STRATEGY
  console.error('I read', board) // for you alone: umpire shows the end of it
  console.log(move)
})
