const book = require("fs").readFileSync("book.txt", "utf8");
console.log(book);
