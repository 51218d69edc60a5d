// A starter for mensch-2: a plain, correct solution. Make solve() your own.
// The protocol (in full: umpire games mensch-2):
//   read   a line with A, B and m, and a line with n, up to 100000
//   write  n lines, the k-th number on line k
//   end    with exit status 0

// YOUR SOLUTION: the first n numbers of the die.
function solve(a, b, m, n) {
  const numbers = [];
  for (let k = 0, x = b; k < n; k++) {
    numbers.push((x % 6) + 1);
    x = (a * x + b) % m;
  }
  return numbers;
}

const [a, b, m, n] = require("fs").readFileSync(0, "utf8").trim().split(/\s+/).map(Number);
// Debug output goes to standard error; standard output is for the answer alone.
console.error("A", a, "B", b, "m", m, "n", n);
console.log(solve(a, b, m, n).join("\n")); // one write is faster than n
