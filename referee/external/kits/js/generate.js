// Draws a case of a group from a seed: the same from the same.
let seed = BigInt(process.argv[3])
function below(n) {
  seed = BigInt.asUintN(64, seed * 6364136223846793005n + 1442695040888963407n)
  return Number((seed >> 33n) % BigInt(n))
}
below(1)
const cells = [1, 2, 3, 4, 5, 6, 7, 8, 9]
const opening = Array.from({ length: 1 + below(3) }, () => cells.splice(below(cells.length), 1)[0])
console.log(opening.join(' '))
