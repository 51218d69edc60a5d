while True:
    try: input()
    except EOFError: break
    print(1, flush=True)
