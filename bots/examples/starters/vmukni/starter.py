# A starter for vmukni: it plays by the rules and leaves the thinking to you.
# Change choose(); the rest is the protocol (in full: umpire games vmukni):
#   read   N K P S (you are seat S of 1 and 2), five rows of tiles, the first K of N queue tiles
#   write  in your moves, every second one, the way in: 1 to 15
#   read   after every move, yours too, the way it took and the tile turned up, 0 if none
import sys


def choose(board, queue, move):
    """YOUR STRATEGY: the way in for tile queue[move], 1 to 15. Here: each in turn."""
    return 1 + move % 15


def read():
    """Reads a line of numbers. The input ends when the match is over."""
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    return [int(word) for word in line.split()]


def main():
    n, k, p, seat = read()
    board = [read() for _ in range(5)]
    queue = read()
    for move in range(n):
        if move % 2 == seat - 1:
            way = choose(board, queue, move)
            # Debug output goes to standard error; standard output is for moves alone.
            print("move", move, "tile", queue[move], "way", way, file=sys.stderr)
            # Without the flush the line would wait in a buffer, and umpire for it.
            print(way, flush=True)
        way, turned_up = read()
        # A strategy that looks at the board plays queue[move] by this way on it here.
        if turned_up:
            queue.append(turned_up)


if __name__ == "__main__":
    main()
