while True:
    try: board = input()
    except EOFError: break
    print(next(cell for cell in (5, 1, 3, 7, 9, 2, 4, 6, 8) if board[cell - 1] == "."), flush=True)
