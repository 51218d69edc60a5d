#!/usr/bin/env python3
"""Solitärschack, greedily: what gives most points now, if it is not the end."""

FIGURES = {"torn", "lopare", "dam", "springare"}
DIGITS = {"1", "2", "3", "4"}


def reaches(piece, r, c, r2, c2):
    dr, dc = abs(r - r2), abs(c - c2)
    if dr == dc == 0:
        return False
    if piece == "springare":
        return {dr, dc} == {1, 2}
    if piece in DIGITS:
        return max(dr, dc) == int(piece) and (dr == dc or dr == 0 or dc == 0)
    torn = (dc == 0 and r2 in (1, 6)) or (dr == 0 and c2 in (1, 6))
    lopare = dr == dc and (r2 in (1, 6) or c2 in (1, 6))
    return (piece != "lopare" and torn) or (piece != "torn" and lopare)


def bonus(seq):
    """The bonus of a sequence of removed types, by the book."""
    total, i = 0, 0
    while i < len(seq):  # runs
        j = i
        while j < len(seq) and seq[j] == seq[i]:
            j += 1
        if j - i >= 2:
            total += 2 * (j - i)
        i = j
    i, chain, end, last = 0, 0, -1, None
    while i + 4 <= len(seq):  # sets, and chains of them
        part = seq[i:i + 4]
        kind = next((k for k in (DIGITS, FIGURES) if set(part) == k), None)
        if kind is None:
            i += 1
            continue
        total += 12 if "".join(part) in ("1234", "4321") else 8
        chain = chain + 1 if end == i and kind is not last else 1
        if chain >= 2:
            total += 16 if chain == 2 else 8
        i += 4
        end, last = i, kind
    return total


def main():
    board = {}
    for r in range(1, 7):
        for c, piece in enumerate(input().split(), 1):
            board[r, c] = piece
    seq, here = [], None
    while True:
        best = None
        for (r, c), piece in board.items():
            if here and not reaches(seq[-1], *here, r, c):
                continue
            goes_on = any(reaches(piece, r, c, *square) for square in board)
            value = (goes_on, bonus(seq + [piece]))
            if best is None or value > best[0]:
                best = value, (r, c)
        if best is None:
            print("0 0", flush=True)
            return
        here = best[1]
        print(*here, flush=True)
        seq.append(board[here])
        board[here] = input().strip()
        if board[here] == "blank":
            del board[here]


main()
