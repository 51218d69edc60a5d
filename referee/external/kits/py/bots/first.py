while True:
    try: board = input()
    except EOFError: break
    print(board.index(".") + 1, flush=True)
