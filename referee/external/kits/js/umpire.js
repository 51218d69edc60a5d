// What a judge says to umpire and hears from it: see `umpire help topic own-games`.
const fs = require('fs')

let said = ''
let heard = Buffer.alloc(0)

const tell = (...words) => { said += words.join(' ') + '\n' }

function flush() {
  fs.writeFileSync(1, said)
  said = ''
}

function hear() {
  flush()
  const chunk = Buffer.alloc(65536)
  while (!heard.includes(10)) {
    const n = fs.readSync(0, chunk)
    if (n === 0) process.exit()
    heard = Buffer.concat([heard, chunk.subarray(0, n)])
  }
  const end = heard.indexOf(10)
  const line = heard.toString('utf8', 0, end)
  heard = heard.subarray(end + 1)
  return line
}

const lines = (verb, text) => String(text).split('\n').forEach(line => tell(verb, line))
const to = (verb, seat) => seat ? `${verb}-to ${seat}` : verb

const show = (text, seat) => lines(to('show', seat), text)
const svg = (text, seat) => tell(to('svg', seat), text)
const state = (value, seat) => tell(to('state', seat), JSON.stringify(value))
const note = text => lines('note', text)
const say = (seat, text) => lines(`say ${seat}`, text)
const foul = (seat, why) => tell('foul', seat, why)
const refuse = (line, why) => { tell('refuse', line, why); hear() }

// Asks seats, ascending, at the same time, and returns what each replied; null of one that
// has failed. Choices are, by seat, what may be replied.
function askAll(seats, choices = {}) {
  for (const seat of seats) for (const choice of choices[seat] || []) tell('choice', seat, choice)
  tell('ask', ...seats)
  return seats.map(() => (/^reply \d+ ?(.*)$/s.exec(hear()) || [null, null])[1])
}
const ask = (seat, choices = []) => askAll([seat], { [seat]: choices })[0]

// Ends the match: a score for each seat, higher is better.
const end = (...scores) => { tell('end', ...scores); flush(); process.exit() }
const win = seat => end(...Array.from({ length: seats }, (_, i) => i + 1 === seat ? 1 : 0))
const draw = () => end(...Array(seats).fill(0.5))

// The match: its number of seats, its seed, to draw from and from nothing else, and the
// lines of its case.
const match = hear().split(' ')
const [seats, seed] = [Number(match[2]), BigInt(match[3])]
const given = Array.from({ length: Number(match[4]) }, hear)
module.exports = { seats, seed, given, show, svg, state, note, say, foul, refuse, ask, askAll, end, win, draw }
