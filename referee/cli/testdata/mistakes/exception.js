const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => console.log(line.split(" ")[7].length));
