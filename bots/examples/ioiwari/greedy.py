# Ioiwari: plays the pit that brings most now; of equal ones the lowest label.
import os
import sys


def sow(pits, p):
    """Plays pit p (from 0) and returns the beads it brings to the mover's bank."""
    hand, pits[p], gain = pits[p], 0, 0
    while True:
        p = (p + 1) % 7
        if hand == 1:
            if 1 <= pits[p] <= 4:
                gain += pits[p] + 1
                pits[p] = 0
            return gain
        if pits[p] == 5:
            pits[p] -= 1
            gain += 1
        else:
            pits[p] += 1
            hand -= 1


seat = int(os.environ.get("UMPIRE_SEAT", "1"))
pits = [int(x) for x in input().split()]
turn = 1
while any(pits):
    if turn == seat:
        p = max((p for p in range(7) if pits[p]), key=lambda p: sow(pits[:], p))
        print(p + 1, flush=True)
    else:
        line = sys.stdin.readline()
        if not line:
            break
        p = int(line) - 1
    sow(pits, p)
    turn = 3 - turn
