const lines = require('readline').createInterface({ input: process.stdin })
lines.on('line', board => console.log([5, 1, 3, 7, 9, 2, 4, 6, 8].find(cell => board[cell - 1] === '.')))
