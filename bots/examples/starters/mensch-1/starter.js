// A starter for mensch-1: a plain, correct solution. Make solve() your own.
// The protocol (in full: umpire games mensch-1):
//   read   one integer, 1 to 6
//   write  the face of the die that shows it: 5 lines of 5 characters
//   end    with exit status 0

const FACES = [
  "...../...../..o../...../.....",
  "...../...o./...../.o.../.....",
  "...../...o./..o../.o.../.....",
  "...../.o.o./...../.o.o./.....",
  "...../.o.o./..o../.o.o./.....",
  "...../.o.o./.o.o./.o.o./.....",
];

// YOUR SOLUTION: the five lines of face d.
function solve(d) {
  return FACES[d - 1].split("/");
}

const d = Number(require("fs").readFileSync(0, "utf8"));
// Debug output goes to standard error; standard output is for the answer alone.
console.error("face", d);
console.log(solve(d).join("\n"));
