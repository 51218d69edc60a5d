guess = 0
while guess == 0 or input() != "equal":  # right in the end, and too late
    guess += 1
    print(guess, flush=True)
