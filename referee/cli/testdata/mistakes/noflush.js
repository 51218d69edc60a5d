const moves = [];
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", () => moves.push(1));
lines.on("close", () => console.log(moves.join("\n")));
