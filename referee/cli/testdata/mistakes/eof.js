const all = require("fs").readFileSync(0, "utf8");
console.log(1);
