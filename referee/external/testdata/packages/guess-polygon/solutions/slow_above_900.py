low, high, answer = 1, 1000, ""
while answer != "equal":
    guess = (low + high) // 2
    print(guess, flush=True)
    answer = input()
    while guess > 900:
        pass
    if answer == "lower":
        high = guess - 1
    else:
        low = guess + 1
