#!/usr/bin/env python3
"""All five parts of Mensch; UMPIRE_GAME says which one: mensch-1 to mensch-5."""
import os
import sys

part = int(os.environ["UMPIRE_GAME"][-1])
lines = sys.stdin.read().splitlines()

if part == 1:
    faces = [
        "...../...../..o../...../.....",
        "...../...o./...../.o.../.....",
        "...../...o./..o../.o.../.....",
        "...../.o.o./...../.o.o./.....",
        "...../.o.o./..o../.o.o./.....",
        "...../.o.o./.o.o./.o.o./.....",
    ]
    print(faces[int(lines[0]) - 1].replace("/", "\n"))
    sys.exit()

A, B, m = map(int, lines[0].split())
count = int(lines[1])


def numbers():
    x = B
    while True:
        yield x % 6 + 1
        x = (A * x + B) % m


die = numbers()

if part == 2:
    print(*(next(die) for _ in range(count)), sep="\n")
    sys.exit()

COLOURS = "R" if part == 3 else "RBGY"
CORNERS = {c: [41 + 8 * k + i for i in range(4)] for k, c in enumerate("RBGY")}
PATH = {
    c: [(10 * k + i) % 40 + 1 for i in range(40)] + [45 + 8 * k + i for i in range(4)]
    for k, c in enumerate("RBGY")
}

where = {c + str(i + 1): CORNERS[c][i] for c in COLOURS for i in range(4)}  # piece -> cell
on = {cell: piece for piece, cell in where.items()}  # cell -> piece
turn = 0
unused = []

# Rows and columns of the picture, by cell.
SPOT = {}
for cells, row, column, down, right in [
    (range(1, 6), 4, 0, 0, 1), (range(6, 10), 3, 4, -1, 0), ([10], 0, 5, 0, 0), (range(11, 16), 0, 6, 1, 0),
    (range(16, 20), 4, 7, 0, 1), ([20], 5, 10, 0, 0), (range(21, 26), 6, 10, 0, -1), (range(26, 30), 7, 6, 1, 0),
    ([30], 10, 5, 0, 0), (range(31, 36), 10, 4, -1, 0), (range(36, 40), 6, 3, 0, -1), ([40], 5, 0, 0, 0),
    (range(45, 49), 5, 1, 0, 1), (range(53, 57), 1, 5, 1, 0), (range(61, 65), 5, 9, 0, -1), (range(69, 73), 9, 5, -1, 0),
    ([41, 42], 0, 0, 0, 1), ([43, 44], 1, 0, 0, 1), ([49, 50], 0, 9, 0, 1), ([51, 52], 1, 9, 0, 1),
    ([57, 58], 9, 9, 0, 1), ([59, 60], 10, 9, 0, 1), ([65, 66], 9, 0, 0, 1), ([67, 68], 10, 0, 0, 1),
]:
    for i, cell in enumerate(cells):
        SPOT[cell] = (row + down * i, column + right * i)


def picture():
    grid = [[".."] * 11 for _ in range(11)]
    for cell, (row, column) in SPOT.items():
        grid[row][column] = on.get(cell, "oo" if cell <= 40 else "xx")
    return "\n".join(".".join(row) for row in grid)


def mine(cell):
    return cell in on and on[cell][0] == COLOURS[turn]


def go(piece, cell, number):
    """Moves a piece for one unused number and returns its cell."""
    global turn
    if cell in on:
        victim = on[cell]
        corner = next(c for c in CORNERS[victim[0]] if c not in on)
        where[victim] = corner
        on[corner] = victim
    del on[where[piece]]
    where[piece] = cell
    on[cell] = piece
    unused.remove(number)
    if not unused:
        turn = (turn + 1) % len(COLOURS)
    return cell


def dice():
    if unused:
        return "invalid dice rolling"
    while not unused or unused[-1] == 6:
        unused.append(next(die))
    return " ".join(map(str, unused))


def enter(piece):
    start = PATH[COLOURS[turn]][0]
    if piece[0] != COLOURS[turn]:
        return "it is not your turn"
    if where[piece] not in CORNERS[piece[0]]:
        return "that is in"
    if 6 not in unused:
        return "you need six"
    if mine(start):
        return "busy starting cell"
    return go(piece, start, 6)


def move(piece, s):
    if piece[0] != COLOURS[turn]:
        return "it is not your turn"
    if s not in unused:
        return "invalid move"
    if where[piece] in CORNERS[piece[0]]:
        return "it is not in"
    path = PATH[piece[0]]
    step = path.index(where[piece]) + s
    if step >= len(path):
        return "you can not move"
    if mine(path[step]):
        return "destination is busy"
    return go(piece, path[step], s)


out = []
for line in lines[2:2 + count]:
    word = line.split()
    if word[0] == "dice":
        out.append(dice())
    elif word[0] == "enter":
        out.append(enter(word[1]))
    elif word[0] == "move":
        out.append(move(word[1], int(word[2])))
    elif unused:  # giveup
        unused.clear()
        turn = (turn + 1) % len(COLOURS)
    if part == 5:
        out.append(picture())
print(*out, sep="\n")
