# A starter for mensch-5: a plain, correct solution. Make answer() your own.
# The protocol (in full: umpire games mensch-5):
#   read   a line with A, B and m, a line with q, up to 1000, and q requests, one a line
#   write  for each request its answer (giveup has none), and the board in 11 lines
#   end    with exit status 0
import sys

COLOURS = "RBGY"
BOARD = """
41 42 .. .. 09 10 11 .. .. 49 50
43 44 .. .. 08 53 12 .. .. 51 52
.. .. .. .. 07 54 13 .. .. .. ..
.. .. .. .. 06 55 14 .. .. .. ..
01 02 03 04 05 56 15 16 17 18 19
40 45 46 47 48 .. 64 63 62 61 20
39 38 37 36 35 72 25 24 23 22 21
.. .. .. .. 34 71 26 .. .. .. ..
.. .. .. .. 33 70 27 .. .. .. ..
65 66 .. .. 32 69 28 .. .. 57 58
67 68 .. .. 31 30 29 .. .. 59 60
"""

# The step of each piece: -1 to -4 in its corner cells, 0 to 39 on the track, 40 to 43 final.
steps = [[-1, -2, -3, -4] for _ in COLOURS]
turn = 0  # index in COLOURS of the colour to move
unused = []  # numbers of the last roll


def answer(request):
    """YOUR SOLUTION: the answer to a request, given as words; None where there is none."""
    global turn
    if request[0] == "dice":
        if unused:
            return "invalid dice rolling"
        while not unused or unused[-1] == 6:
            unused.append(roll())
        return " ".join(str(number) for number in unused)
    if request[0] == "giveup":
        if unused:
            unused.clear()
            turn = (turn + 1) % 4
        return None
    piece = int(request[1][1]) - 1
    mine = steps[turn]
    if request[1][0] != COLOURS[turn]:
        return "it is not your turn"
    if request[0] == "enter":
        if mine[piece] >= 0:
            return "that is in"
        if 6 not in unused:
            return "you need six"
        if 0 in mine:
            return "busy starting cell"
        return go(piece, 6, 0)
    number = int(request[2])
    if number not in unused:
        return "invalid move"
    if mine[piece] < 0:
        return "it is not in"
    step = mine[piece] + number
    if step > 43:
        return "you can not move"
    if step in mine:
        return "destination is busy"
    return go(piece, number, step)


def go(piece, number, step):
    """Uses a number to take a piece to a step, and returns its cell."""
    global turn
    there = cell(turn, step)
    for colour in range(4):  # the piece there goes back
        for other in range(4):
            if cell(colour, steps[colour][other]) == there:
                free = (corner for corner in (-1, -2, -3, -4) if corner not in steps[colour])
                steps[colour][other] = next(free)
    steps[turn][piece] = step
    unused.remove(number)
    if not unused:
        turn = (turn + 1) % 4
    return str(there)


def cell(colour, step):
    """The cell of a step on a colour's path."""
    if step < 0:
        return 40 + 8 * colour - step
    return (10 * colour + step) % 40 + 1 if step < 40 else 5 + 8 * colour + step


def board():
    """The picture of the board."""
    pieces = {cell(k, steps[k][i]): f"{COLOURS[k]}{i + 1}" for k in range(4) for i in range(4)}
    lines = []
    for line in BOARD.split("\n")[1:-1]:
        shown = []
        for word in line.split():
            if word != "..":
                word = pieces.get(int(word), "oo" if int(word) <= 40 else "xx")
            shown.append(word)
        lines.append(".".join(shown))
    return "\n".join(lines)


def roll():
    """The next number of the die."""
    global x
    number = x % 6 + 1
    x = (a * x + b) % m
    return number


lines = sys.stdin.read().split("\n")
a, b, m = (int(word) for word in lines[0].split())
x = b
q = int(lines[1])
out = []
for line in lines[2:2 + q]:
    reply = answer(line.split())
    if reply is not None:
        out.append(reply)
    out.append(board())
# Debug output goes to standard error; standard output is for the answers alone.
print("answered", q, "requests", file=sys.stderr)
print("\n".join(out))
