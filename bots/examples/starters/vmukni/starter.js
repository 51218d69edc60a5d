// A starter for vmukni: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games vmukni):
//   read   N K P S (you are seat S of 1 and 2), five rows of tiles, the first K of N queue tiles
//   write  in your moves, every second one, the way in: 1 to 15
//   read   after every move, yours too, the way it took and the tile turned up, 0 if none

// YOUR STRATEGY: the way in for tile queue[move], 1 to 15. Here: each in turn.
function choose(board, queue, move) {
  return 1 + (move % 15);
}

const input = require("readline").createInterface({ input: process.stdin });
const lines = input[Symbol.asyncIterator]();

// Reads a line of numbers. The input ends when the match is over.
async function read() {
  const { value, done } = await lines.next();
  if (done) process.exit();
  return value.trim().split(/\s+/).map(Number);
}

async function main() {
  const [n, k, p, seat] = await read();
  const board = [];
  for (let row = 0; row < 5; row++) board.push(await read());
  const queue = await read();
  for (let move = 0; move < n; move++) {
    if (move % 2 === seat - 1) {
      const way = choose(board, queue, move);
      // Debug output goes to standard error; standard output is for moves alone.
      console.error("move", move, "tile", queue[move], "way", way);
      console.log(way); // goes out at once: Node needs no flush
    }
    const [way, turnedUp] = await read();
    // A strategy that looks at the board plays queue[move] by this way on it here.
    if (turnedUp) queue.push(turnedUp);
  }
  input.close();
}

main();
