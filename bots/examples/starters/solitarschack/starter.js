// A starter for Solitärschack: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games solitarschack):
//   read   six rows of six pieces: 1 2 3 4 torn lopare dam springare
//   write  the row and column, 1 to 6, of the piece you remove; `0 0` ends the match
//   read   after each removal the piece that appears there, or `blank`

// YOUR STRATEGY: the next [row, column], or null to end. Here: the first that can be
// reached. Rows and columns count from 0; last is the piece just removed and here
// its square, both null at the start, when every square is free to take.
function choose(board, last, here) {
  for (let row = 0; row < 6; row++)
    for (let column = 0; column < 6; column++)
      if (board[row][column] !== "blank" && (!here || reaches(last, here, [row, column])))
        return [row, column];
  return null;
}

// Reports whether a piece removed from one square leads to another.
function reaches(piece, here, there) {
  const down = Math.abs(there[0] - here[0]), right = Math.abs(there[1] - here[1]);
  const edgeRow = there[0] % 5 === 0, edgeColumn = there[1] % 5 === 0;
  if (down === 0 && right === 0) return false;
  const straight = down === 0 || right === 0, diagonal = down === right;
  const torn = (right === 0 && edgeRow) || (down === 0 && edgeColumn);
  const lopare = diagonal && (edgeRow || edgeColumn);
  switch (piece) {
    case "springare": return down * right === 2;
    case "torn": return torn;
    case "lopare": return lopare;
    case "dam": return torn || lopare;
    default: return Math.max(down, right) === Number(piece) && (straight || diagonal);
  }
}

const input = require("readline").createInterface({ input: process.stdin });
const lines = input[Symbol.asyncIterator]();

// Reads a line of pieces.
async function read() {
  const { value, done } = await lines.next();
  if (done) process.exit(1);
  return value.trim().split(/\s+/);
}

async function main() {
  const board = [];
  for (let row = 0; row < 6; row++) board.push(await read());
  let last = null;
  for (let here = choose(board, null, null); here; here = choose(board, last, here)) {
    const [row, column] = here;
    last = board[row][column];
    // Debug output goes to standard error; standard output is for moves alone.
    console.error("remove", last, "at", row + 1, column + 1);
    console.log(row + 1, column + 1); // goes out at once: Node needs no flush
    board[row][column] = (await read())[0];
  }
  console.log("0 0");
  input.close();
}

main();
