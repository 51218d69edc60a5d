// A starter for mensch-4: a plain, correct solution. Make answer() your own.
// The protocol (in full: umpire games mensch-4):
//   read   a line with A, B and m, a line with q, up to 1000, and q requests, one a line
//   write  the answers, one a line; giveup has none
//   end    with exit status 0

const COLOURS = "RBGY";
let turn = 0; // index in COLOURS of the colour to move

// The step of each piece: -1 in its corner, 0 to 39 on the track, 40 to 43 final.
const steps = [0, 1, 2, 3].map(() => [-1, -1, -1, -1]);
let unused = []; // numbers of the last roll

// YOUR SOLUTION: the answer to a request, given as words; null where there is none.
function answer(request) {
  if (request[0] === "dice") {
    if (unused.length > 0) return "invalid dice rolling";
    do unused.push(roll());
    while (unused[unused.length - 1] === 6);
    return unused.join(" ");
  }
  if (request[0] === "giveup") {
    if (unused.length > 0) turn = (turn + 1) % 4;
    unused = [];
    return null;
  }
  const piece = Number(request[1][1]) - 1;
  const mine = steps[turn];
  if (request[1][0] !== COLOURS[turn]) return "it is not your turn";
  if (request[0] === "enter") {
    if (mine[piece] >= 0) return "that is in";
    if (!unused.includes(6)) return "you need six";
    if (mine.includes(0)) return "busy starting cell";
    return go(piece, 6, 0);
  }
  const number = Number(request[2]), step = mine[piece] + number;
  if (!unused.includes(number)) return "invalid move";
  if (mine[piece] < 0) return "it is not in";
  if (step > 43) return "you can not move";
  if (mine.includes(step)) return "destination is busy";
  return go(piece, number, step);
}

// Uses a number to take a piece to a step, and returns its cell.
function go(piece, number, step) {
  unused.splice(unused.indexOf(number), 1);
  const there = cell(turn, step);
  for (let colour = 0; colour < 4; colour++)
    for (let other = 0; other < 4; other++)
      if (cell(colour, steps[colour][other]) === there) // the piece there goes back
        steps[colour][other] = -1;
  steps[turn][piece] = step;
  if (unused.length === 0) turn = (turn + 1) % 4;
  return there;
}

// The cell of a step on a colour's path.
function cell(colour, step) {
  if (step < 0) return 0;
  return step < 40 ? ((10 * colour + step) % 40) + 1 : 5 + 8 * colour + step;
}

// The next number of the die.
function roll() {
  const number = (x % 6) + 1;
  x = (a * x + b) % m;
  return number;
}

const lines = require("fs").readFileSync(0, "utf8").split("\n");
const [a, b, m] = lines[0].trim().split(/\s+/).map(Number);
let x = b;
const q = Number(lines[1]);
const out = []; // one write is faster than q
for (const line of lines.slice(2, 2 + q)) {
  const reply = answer(line.trim().split(/\s+/));
  if (reply !== null) out.push(reply);
}
// Debug output goes to standard error; standard output is for the answers alone.
console.error("answered", q, "requests");
console.log(out.join("\n"));
