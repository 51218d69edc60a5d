const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  console.log("thinking about", line);
  console.log(1);
});
