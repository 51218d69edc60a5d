# Hands over two numbers by a FIFO, and expects their sum.
import sys

with open("input.txt") as file:
    a, b = map(int, file.read().split())
assert sys.stdin.read().split() == [str(a), str(b)]
with open(sys.argv[2], "w") as to, open(sys.argv[1]) as source:
    print(a, b, file=to, flush=True)
    answer = source.readline().strip()
print("Well done" if answer == str(a + b) else "Expected another sum", file=sys.stderr)
print(1 if answer == str(a + b) else 0)
