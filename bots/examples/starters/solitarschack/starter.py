# A starter for Solitärschack: it plays by the rules and leaves the thinking to you.
# Change choose(); the rest is the protocol (in full: umpire games solitarschack):
#   read   six rows of six pieces: 1 2 3 4 torn lopare dam springare
#   write  the row and column, 1 to 6, of the piece you remove; `0 0` ends the match
#   read   after each removal the piece that appears there, or `blank`
import sys


def choose(board, last, here):
    """YOUR STRATEGY: the next (row, column), or None to end. Here: the first that can be reached.

    Rows and columns count from 0; last is the piece just removed and here its
    square, both None at the start, when every square is free to take.
    """
    for row in range(6):
        for column in range(6):
            if board[row][column] != "blank" and (here is None or reaches(last, here, (row, column))):
                return row, column
    return None


def reaches(piece, here, there):
    """Reports whether a piece removed from one square leads to another."""
    down, right = abs(there[0] - here[0]), abs(there[1] - here[1])
    edge_row, edge_column = there[0] in (0, 5), there[1] in (0, 5)
    if down == right == 0:
        return False
    if piece == "springare":
        return down * right == 2
    straight = down == 0 or right == 0
    diagonal = down == right
    if piece in ("1", "2", "3", "4"):
        return max(down, right) == int(piece) and (straight or diagonal)
    torn = (right == 0 and edge_row) or (down == 0 and edge_column)
    lopare = diagonal and (edge_row or edge_column)
    return (torn and piece != "lopare") or (lopare and piece != "torn")  # a dam is both


def main():
    board = [input().split() for _ in range(6)]
    last, here = None, None
    while True:
        here = choose(board, last, here)
        if here is None:
            break
        row, column = here
        last = board[row][column]
        # Debug output goes to standard error; standard output is for moves alone.
        print("remove", last, "at", row + 1, column + 1, file=sys.stderr)
        # Without the flush the line would wait in a buffer, and umpire for it.
        print(row + 1, column + 1, flush=True)
        board[row][column] = input().strip()
    print("0 0", flush=True)


if __name__ == "__main__":
    main()
