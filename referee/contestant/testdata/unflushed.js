// Node writes at once; who collects the output to write it at the end does not.
const out = [];
require("readline").createInterface({ input: process.stdin })
    .on("line", () => out.push("1\n"))
    .on("close", () => process.stdout.write(out.join("")));
