"""A bot for tic-tac-toe: reads the board before each of its moves, and answers with a free cell."""
import sys

while True:
    try: board = input()  # nine characters: X, O, or . for a free cell
    except EOFError: break  # the match is over
    free = [cell for cell in range(1, 10) if board[cell - 1] == "."]
    move = free[-1]  # YOUR STRATEGY
    print("I read", board, file=sys.stderr)  # for you alone: umpire shows the end of it
    print(move, flush=True)
