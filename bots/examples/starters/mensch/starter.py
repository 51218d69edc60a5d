# A starter for mensch: it plays by the rules and leaves the thinking to you.
# Change choose(); the rest is the protocol (in full: umpire games mensch):
#   read   your colour and all that play (B RBGY), then what others do (R move R2 1 2),
#          `turn` when it is your turn, and `end`
#   write  in your turn a request (dice, enter B1, move B1 4), read its answer, and so
#          on until all numbers are used, or end it by giveup, which has no answer
import sys

CORNER = -1  # the step of a piece that is not in play; 0 to 39 is the track, 40 to 43 home
steps = [CORNER] * 4  # of my pieces


def choose(unused):
    """YOUR STRATEGY: (piece from 0, number), or None to give up. Here: the first that is possible."""
    for number in unused:
        for piece in range(4):
            if target(piece, number) is not None:
                return piece, number
    return None


def target(piece, number):
    """The step to which a number takes a piece of mine, None if it can't be used for it."""
    if steps[piece] == CORNER:
        step = 0 if number == 6 else None
    else:
        step = steps[piece] + number
    return None if step is None or step > 43 or step in steps else step


def cell(step):
    """The cell of a step on my path."""
    k = "RBGY".index(me)
    return (10 * k + step) % 40 + 1 if step < 40 else 45 + 8 * k + step - 40


def read():
    """Reads a line as words. The input ends when the match is over."""
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    return line.split()


def say(request):
    # Without the flush the line would wait in a buffer, and umpire for it.
    print(request, flush=True)


def take_turn():
    say("dice")
    unused = [int(number) for number in read()]
    # Debug output goes to standard error; standard output is for requests alone.
    print("steps", steps, "dice", unused, file=sys.stderr)
    while unused and min(steps) < 40:  # coming home ends the turn
        move = choose(unused)
        if move is None:
            say("giveup")
            return
        piece, number = move
        if steps[piece] == CORNER:
            say(f"enter {me}{piece + 1}")
        else:
            say(f"move {me}{piece + 1} {number}")
        read()  # the cell, or why the request was refused
        steps[piece] = target(piece, number)
        unused.remove(number)


me, colours = read()
while True:
    words = read()
    if words[0] == "end":
        break
    if words[0] == "turn":
        take_turn()
    elif words[1] in ("enter", "move"):
        for piece in range(4):  # another piece landed on mine: it goes back
            if steps[piece] != CORNER and cell(steps[piece]) == int(words[-1]):
                steps[piece] = CORNER
