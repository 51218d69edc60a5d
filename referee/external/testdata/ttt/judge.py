#!/usr/bin/env python3
import sys
def tell(*w): print(*w, flush=True)
def hear():
    line = sys.stdin.readline()
    return line.rstrip("\n") if line else sys.exit(1)
LINES = "123 456 789 147 258 369 159 357".split()
for _ in range(int(hear().split()[4])): hear()      # this game has no cases
board = ["."] * 9
def draw(): [tell("show", *board[r:r + 3]) for r in (0, 3, 6)]
for turn in range(9):
    draw()
    seat, free = turn % 2 + 1, [str(i + 1) for i in range(9) if board[i] == "."]
    tell("say", seat, "".join(board))
    for cell in free: tell("choice", seat, cell)
    tell("ask", seat)
    cell = hear().split(" ", 2)[2]
    board[int(cell) - 1] = mark = "XO"[turn % 2]
    if any(all(board[int(c) - 1] == mark for c in line) for line in LINES):
        draw(); tell("end", 2 - seat, seat - 1); sys.exit()
draw(); tell("end", 0.5, 0.5)
