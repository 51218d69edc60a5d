# A starter for Ioiwari: it plays by the rules and leaves the thinking to you.
# Change choose(); the rest is the protocol (in full: umpire games ioiwari):
#   read   one line with the beads in the pits 1 to 7; seat 1 then moves first
#   write  on your turn the number of a pit that is not empty, 1 to 7
#   read   on the opponent's turn the number of the pit it played
import os
import sys


def choose(pits):
    """YOUR STRATEGY: the pit to play, 0 to 6. Here: the first that holds a bead."""
    for pit in range(7):
        if pits[pit] > 0:
            return pit


def sow(pits, pit):
    """Plays a pit and returns the beads it brings. To try a move: sow(pits[:], pit)."""
    hand, pits[pit], gain = pits[pit], 0, 0
    while True:
        pit = (pit + 1) % 7
        if hand == 1:  # the last bead takes a pit of 1 to 4, or is the opponent's
            if 1 <= pits[pit] <= 4:
                gain += pits[pit] + 1
                pits[pit] = 0
            return gain
        if pits[pit] == 5:  # a full pit gives a bead
            pits[pit] -= 1
            gain += 1
        else:
            pits[pit] += 1
            hand -= 1


def read():
    """Reads a line of numbers. The input ends when the match is over."""
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    return [int(word) for word in line.split()]


def main():
    seat = int(os.environ.get("UMPIRE_SEAT", "1"))
    pits = read()
    turn = 1
    while any(pits):
        if turn == seat:
            pit = choose(pits)
            # Debug output goes to standard error; standard output is for moves alone.
            print("pits", pits, "I play", pit + 1, file=sys.stderr)
            # Without the flush the line would wait in a buffer, and umpire for it.
            print(pit + 1, flush=True)
        else:
            pit = read()[0] - 1
        sow(pits, pit)
        turn = 3 - turn


if __name__ == "__main__":
    main()
