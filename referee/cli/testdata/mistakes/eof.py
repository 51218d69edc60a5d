import sys

boards = sys.stdin.read().split("\n")
print(1, flush=True)
