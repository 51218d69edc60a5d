for line in open(0):
    print(line, end="", flush=True)
