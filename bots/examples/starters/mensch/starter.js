// A starter for mensch: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games mensch):
//   read   your colour and all that play (B RBGY), then what others do (R move R2 1 2),
//          `turn` when it is your turn, and `end`
//   write  in your turn a request (dice, enter B1, move B1 4), read its answer, and so
//          on until all numbers are used, or end it by giveup, which has no answer

const CORNER = -1; // the step of a piece that is not in play; 0 to 39 is the track, 40 to 43 home
const steps = [CORNER, CORNER, CORNER, CORNER]; // of my pieces
let me; // my colour

// YOUR STRATEGY: [piece from 0, number], or null to give up. Here: the first that is possible.
function choose(unused) {
  for (const number of unused)
    for (let piece = 0; piece < 4; piece++)
      if (target(piece, number) >= 0) return [piece, number];
  return null;
}

// The step to which a number takes a piece of mine, -1 if it can't be used for it.
function target(piece, number) {
  let step = steps[piece] + number;
  if (steps[piece] === CORNER) step = number === 6 ? 0 : -1;
  return step > 43 || steps.includes(step) ? -1 : step;
}

// The cell of a step on my path.
function cell(step) {
  const k = "RBGY".indexOf(me);
  return step < 40 ? ((10 * k + step) % 40) + 1 : 45 + 8 * k + step - 40;
}

const input = require("readline").createInterface({ input: process.stdin });
const lines = input[Symbol.asyncIterator]();

// Reads a line as words. The input ends when the match is over.
async function read() {
  const { value, done } = await lines.next();
  if (done) process.exit();
  return value.trim().split(/\s+/);
}

async function takeTurn() {
  console.log("dice"); // goes out at once: Node needs no flush
  const unused = (await read()).map(Number);
  // Debug output goes to standard error; standard output is for requests alone.
  console.error("steps", steps.join(" "), "dice", unused.join(" "));
  while (unused.length > 0 && Math.min(...steps) < 40) { // coming home ends the turn
    const move = choose(unused);
    if (move === null) {
      console.log("giveup");
      return;
    }
    const [piece, number] = move;
    if (steps[piece] === CORNER) console.log(`enter ${me}${piece + 1}`);
    else console.log(`move ${me}${piece + 1} ${number}`);
    await read(); // the cell, or why the request was refused
    steps[piece] = target(piece, number);
    unused.splice(unused.indexOf(number), 1);
  }
}

async function main() {
  me = (await read())[0];
  for (;;) {
    const words = await read();
    if (words[0] === "end") break;
    if (words[0] === "turn") {
      await takeTurn();
    } else if (words[1] === "enter" || words[1] === "move") {
      const to = Number(words[words.length - 1]);
      for (let i = 0; i < 4; i++) // another piece landed on mine: it goes back
        if (steps[i] !== CORNER && cell(steps[i]) === to) steps[i] = CORNER;
    }
  }
  input.close();
}

main();
