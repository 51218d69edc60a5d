"""A greedy player of vmukni: the way with the most points now, the lowest of equal ones."""

EMPTY = 0


def push(line, tile):
    """Insert a tile at the front of a line of five cells; the rest moves up to the first gap."""
    gap = line.index(EMPTY) if EMPTY in line else 4
    return [tile] + line[:gap] + line[gap + 1:]


def insert(board, way, tile):
    board = [row[:] for row in board]
    if way <= 5:
        board[way - 1] = push(board[way - 1], tile)
    elif way <= 10:
        column = push([row[way - 6] for row in board], tile)
        for row, cell in zip(board, column):
            row[way - 6] = cell
    else:
        board[way - 11] = push(board[way - 11][::-1], tile)[::-1]
    return board


def fall(board):
    for column in range(5):
        tiles = [row[column] for row in board if row[column] != EMPTY]
        tiles = [EMPTY] * (5 - len(tiles)) + tiles
        for row, tile in zip(board, tiles):
            row[column] = tile


def runs(board):
    """All runs as (length, cells), in the order in which equally long ones go."""
    rows = [[(r, c) for c in range(5)] for r in range(5)]
    columns = [[(r, c) for r in range(5)] for c in range(5)]
    found = []
    for kind, lines in enumerate((rows, columns)):
        for line in lines:
            start = 0
            while start < 5:
                end = start
                while end < 5 and board[line[end][0]][line[end][1]] == board[line[start][0]][line[start][1]]:
                    end += 1
                cells = line[start:end]
                if len(cells) >= 3 and board[cells[0][0]][cells[0][1]] != EMPTY:
                    found.append((-len(cells), kind, cells[0], cells))
                start = end
    return sorted(found)


def play(board, way, tile):
    """The board after a move, and the move's points."""
    board = insert(board, way, tile)
    points, ordinal = 0, 0
    while True:
        fall(board)
        found = runs(board)
        if not found:
            return board, points
        cells = found[0][3]
        ordinal += 1
        points += 10 * (len(cells) - 2) * ordinal
        for row, column in cells:
            board[row][column] = EMPTY


def numbers():
    return [int(word) for word in input().split()]


def main():
    n, _, _, seat = numbers()
    board = [numbers() for _ in range(5)]
    queue = numbers()
    for move in range(n):
        if move % 2 == seat - 1:
            gains = [play(board, way, queue[move])[1] for way in range(1, 16)]
            print(gains.index(max(gains)) + 1, flush=True)
        way, turned_up = numbers()
        board, _ = play(board, way, queue[move])
        if turned_up:
            queue.append(turned_up)


main()
