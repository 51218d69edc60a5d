while True:
    try: input()
    except EOFError: break
    print(3, flush=True)
