# A starter for mensch-3: a plain, correct solution. Make answer() your own.
# The protocol (in full: umpire games mensch-3):
#   read   a line with A, B and m, a line with q, up to 100000, and q requests, one a line
#   write  the answers, one a line; giveup has none
#   end    with exit status 0
import sys

steps = [-1] * 4  # of R1 to R4: -1 in the corner, 0 to 39 on the track, 40 to 43 final
unused = []  # numbers of the last roll


def answer(request):
    """YOUR SOLUTION: the answer to a request, given as words; None where there is none."""
    if request[0] == "dice":
        if unused:
            return "invalid dice rolling"
        while not unused or unused[-1] == 6:
            unused.append(roll())
        return " ".join(str(number) for number in unused)
    if request[0] == "giveup":
        unused.clear()
        return None
    piece = int(request[1][1]) - 1
    mine = steps
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
    unused.remove(number)
    steps[piece] = step
    return str(step + 1 if step < 40 else step + 5)


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
