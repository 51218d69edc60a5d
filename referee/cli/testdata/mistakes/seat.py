import sys

board = sys.stdin.readline()
while opponent := sys.stdin.readline():
    print(1, flush=True)
