// A starter for Ioiwari: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games ioiwari):
//   read   one line with the beads in the pits 1 to 7; seat 1 then moves first
//   write  on your turn the number of a pit that is not empty, 1 to 7
//   read   on the opponent's turn the number of the pit it played

// YOUR STRATEGY: the pit to play, 0 to 6. Here: the first that holds a bead.
function choose(pits) {
  return pits.findIndex((beads) => beads > 0);
}

// Plays a pit and returns the beads it brings. To try a move: sow([...pits], pit).
function sow(pits, pit) {
  let hand = pits[pit], gain = 0;
  pits[pit] = 0;
  for (;;) {
    pit = (pit + 1) % 7;
    if (hand === 1) { // the last bead takes a pit of 1 to 4, or is the opponent's
      if (pits[pit] >= 1 && pits[pit] <= 4) {
        gain += pits[pit] + 1;
        pits[pit] = 0;
      }
      return gain;
    }
    if (pits[pit] === 5) { // a full pit gives a bead
      pits[pit]--;
      gain++;
    } else {
      pits[pit]++;
      hand--;
    }
  }
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
  const seat = Number(process.env.UMPIRE_SEAT || 1);
  const pits = await read();
  for (let turn = 1; pits.some((beads) => beads > 0); turn = 3 - turn) {
    let pit;
    if (turn === seat) {
      pit = choose(pits);
      // Debug output goes to standard error; standard output is for moves alone.
      console.error("pits", pits.join(" "), "I play", pit + 1);
      console.log(pit + 1); // goes out at once: Node needs no flush
    } else {
      pit = (await read())[0] - 1;
    }
    sow(pits, pit);
  }
  input.close();
}

main();
