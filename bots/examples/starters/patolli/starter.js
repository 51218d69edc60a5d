// A starter for Patolli: a plain, correct solution. Make answer() your own.
// The protocol (in full: umpire games patolli):
//   read   lines to the end of the input: 3 markers of the opponent, 3 of the player, r, r rolls
//   write  for each line where the player's markers stand in the end, in order, or GAME OVER
//   end    with exit status 0

const CORNERS = [7, 12, 17, 22, 27, 35, 40, 45, 50];
const SQUARES = [9, 16, 25, 36, 49];
const PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47];

// YOUR SOLUTION: where the player's markers stand after the rolls, in order.
function answer(opponent, player, rolls) {
  for (const roll of rolls) {
    if (player.length === 0) break;
    player.sort((a, b) => a - b);
    const start = player.shift(); // the lowest
    const end = target(start, roll, [...opponent, ...player]);
    if (end < 52) player.push(end); // 52 leaves the grid
  }
  return player.sort((a, b) => a - b);
}

// The location to which a roll takes a marker.
function target(start, roll, occupied) {
  const end = start + roll;
  if (end > 52 || occupied.includes(end)) return start;
  if (end === 52) return end;
  if (PRIMES.includes(end)) return walk(end, 1, occupied);
  if (SQUARES.includes(end)) return walk(end, -1, occupied);
  if (CORNERS.some((corner) => start < corner && corner < end)) {
    const multiple = end - (end % roll);
    return occupied.includes(multiple) ? start : multiple;
  }
  return end;
}

// Up to six locations on, or back, but not past 51 and not onto an occupied one.
function walk(start, step, occupied) {
  let here = start;
  for (let i = 0; i < 6 && !occupied.includes(here + step); i++) {
    if (here + step === 52) return start;
    here += step;
  }
  return here;
}

const out = []; // one write is faster than many
for (const line of require("fs").readFileSync(0, "utf8").split("\n")) {
  if (line.trim() === "") continue;
  const numbers = line.trim().split(/\s+/).map(Number);
  out.push(answer(numbers.slice(0, 3), numbers.slice(3, 6), numbers.slice(7)).join(" ") || "GAME OVER");
}
// Debug output goes to standard error; standard output is for the answers alone.
console.error("answered", out.length, "lines");
console.log(out.join("\n"));
