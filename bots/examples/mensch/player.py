#!/usr/bin/env python3
"""Plays a match of Mensch: enters when it can, captures when it can, else runs."""
import sys


def read():
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    return line.split()


def say(*words):
    print(*words, flush=True)


me, colours = read()
path = {}  # colour -> the cells its pieces go through
for k, c in enumerate("RBGY"):
    path[c] = [(10 * k + i) % 40 + 1 for i in range(40)] + [45 + 8 * k + i for i in range(4)]
where = {c + i: None for c in colours for i in "1234"}  # piece -> cell, None in its corner


def put(piece, cell):
    for other in where:
        if where[other] == cell:
            where[other] = None
    where[piece] = cell


def moves(unused):
    """Yields (how good, request, piece, number) for everything possible."""
    for piece, cell in where.items():
        if piece[0] != me:
            continue
        for number in set(unused):
            if cell is None:
                if number != 6:
                    continue
                to, request, good = 0, ("enter", piece), 50
            else:
                to = path[me].index(cell) + number
                request, good = ("move", piece, number), to
            if to >= 44:
                continue
            victim = [p for p, at in where.items() if at == path[me][to]]
            if victim and victim[0][0] == me:
                continue
            if victim:
                good += 100
            yield good, request, piece, number


def take_turn():
    say("dice")
    unused = [int(n) for n in read()]
    while unused:
        if all(where[me + i] in path[me][40:] for i in "1234"):
            return  # home: the turn is over
        possible = list(moves(unused))
        if not possible:
            say("giveup")
            return
        _, request, piece, number = max(possible)
        say(*request)
        put(piece, int(read()[0]))
        unused.remove(number)


while True:
    words = read()
    if words[0] == "end":
        break
    if words[0] == "turn":
        take_turn()
    elif words[1] in ("enter", "move"):
        put(words[2], int(words[-1]))
