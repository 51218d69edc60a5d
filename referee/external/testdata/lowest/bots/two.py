while True:
    try: input()
    except EOFError: break
    print(2, flush=True)
