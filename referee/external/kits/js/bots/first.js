const lines = require('readline').createInterface({ input: process.stdin })
lines.on('line', board => console.log(board.indexOf('.') + 1))
