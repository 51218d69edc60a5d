from umpire import show, say, ask, win, draw
from opening import opening
from picture import draw_picture
LINES = "123 456 789 147 258 369 159 357".split()
board = ["."] * 9
def position(): show("\n".join("".join(board[r:r + 3]) for r in (0, 3, 6)))
for turn in range(9):
    if opening:
        board[opening.pop(0) - 1] = "XO"[turn % 2]
        continue
    position()
    draw_picture(board)
    seat, mark = turn % 2 + 1, "XO"[turn % 2]
    say(seat, "".join(board))
    cell = ask(seat, choices=[str(i + 1) for i in range(9) if board[i] == "."])
    board[int(cell) - 1] = mark
    if any(all(board[int(c) - 1] == mark for c in line) for line in LINES):
        draw_picture(board)
        position(); win(seat)
draw_picture(board)
position(); draw()
