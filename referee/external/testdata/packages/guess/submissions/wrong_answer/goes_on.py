# Guesses again after the right guess.
low, high = 1, 1000
while True:
    guess = (low + high) // 2
    print(guess, flush=True)
    answer = input()
    if answer == "correct":
        print(guess, flush=True)
        break
    low, high = (guess + 1, high) if answer == "higher" else (low, guess - 1)
