// A starter for mensch-5: a plain, correct solution. Make answer() your own.
// The protocol (in full: umpire games mensch-5):
//   read   a line with A, B and m, a line with q, up to 1000, and q requests, one a line
//   write  for each request its answer (giveup has none), and the board in 11 lines
//   end    with exit status 0

const COLOURS = "RBGY";
let turn = 0; // index in COLOURS of the colour to move

// The step of each piece: -1 to -4 in its corner cells, 0 to 39 on the track, 40 to 43 final.
const steps = [0, 1, 2, 3].map(() => [-1, -2, -3, -4]);

const BOARD = [
  "41 42 .. .. 09 10 11 .. .. 49 50",
  "43 44 .. .. 08 53 12 .. .. 51 52",
  ".. .. .. .. 07 54 13 .. .. .. ..",
  ".. .. .. .. 06 55 14 .. .. .. ..",
  "01 02 03 04 05 56 15 16 17 18 19",
  "40 45 46 47 48 .. 64 63 62 61 20",
  "39 38 37 36 35 72 25 24 23 22 21",
  ".. .. .. .. 34 71 26 .. .. .. ..",
  ".. .. .. .. 33 70 27 .. .. .. ..",
  "65 66 .. .. 32 69 28 .. .. 57 58",
  "67 68 .. .. 31 30 29 .. .. 59 60",
];
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
        steps[colour][other] = [-1, -2, -3, -4].find((corner) => !steps[colour].includes(corner));
  steps[turn][piece] = step;
  if (unused.length === 0) turn = (turn + 1) % 4;
  return there;
}

// The cell of a step on a colour's path.
function cell(colour, step) {
  if (step < 0) return 40 + 8 * colour - step;
  return step < 40 ? ((10 * colour + step) % 40) + 1 : 5 + 8 * colour + step;
}

// The picture of the board.
function board() {
  const pieces = {};
  for (let colour = 0; colour < 4; colour++)
    for (let i = 0; i < 4; i++) pieces[cell(colour, steps[colour][i])] = COLOURS[colour] + (i + 1);
  const show = (word) => (word === ".." ? word : pieces[Number(word)] || (Number(word) <= 40 ? "oo" : "xx"));
  return BOARD.map((line) => line.split(" ").map(show).join(".")).join("\n");
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
  out.push(board());
}
// Debug output goes to standard error; standard output is for the answers alone.
console.error("answered", q, "requests");
console.log(out.join("\n"));
