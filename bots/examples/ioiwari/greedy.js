// Ioiwari: plays the pit that brings most now; of equal ones the lowest label.
const seat = Number(process.env.UMPIRE_SEAT || 1);

// Plays pit p (from 0) and returns the beads it brings to the mover's bank.
function sow(pits, p) {
  let hand = pits[p], gain = 0;
  pits[p] = 0;
  for (;;) {
    p = (p + 1) % 7;
    if (hand === 1) {
      if (pits[p] >= 1 && pits[p] <= 4) {
        gain += pits[p] + 1;
        pits[p] = 0;
      }
      return gain;
    }
    if (pits[p] === 5) {
      pits[p]--;
      gain++;
    } else {
      pits[p]++;
      hand--;
    }
  }
}

function greedy(pits) {
  let best = -1, most = -1;
  for (let p = 0; p < 7; p++) {
    if (pits[p] === 0) continue;
    const gain = sow([...pits], p);
    if (gain > most) {
      best = p;
      most = gain;
    }
  }
  return best;
}

function play(pits) {
  const p = greedy(pits);
  if (p < 0) return; // the match is over
  console.log(p + 1); // not buffered
  sow(pits, p);
}

let pits = null;
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  if (pits === null) {
    pits = line.trim().split(/\s+/).map(Number);
    if (seat === 1) play(pits);
  } else {
    sow(pits, Number(line) - 1);
    play(pits);
  }
});
