# A starter for mensch-4: a plain, correct solution. Make answer() your own.
# The protocol (in full: umpire games mensch-4):
#   read   a line with A, B and m, a line with q, up to 1000, and q requests, one a line
#   write  the answers, one a line; giveup has none
#   end    with exit status 0
import sys

COLOURS = "RBGY"
steps = [[-1] * 4 for _ in COLOURS]  # of each piece: -1 in its corner, 0 to 39 on the track, 40 to 43 final
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
                steps[colour][other] = -1
    steps[turn][piece] = step
    unused.remove(number)
    if not unused:
        turn = (turn + 1) % 4
    return str(there)


def cell(colour, step):
    """The cell of a step on a colour's path."""
    if step < 0:
        return None
    return (10 * colour + step) % 40 + 1 if step < 40 else 5 + 8 * colour + step


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
# Debug output goes to standard error; standard output is for the answers alone.
print("answered", q, "requests", file=sys.stderr)
print("\n".join(out))
