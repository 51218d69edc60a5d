# Reads on after the right guess, with its output open, for whose end the judge waits.
low, high, answer = 1, 1000, ""
while answer != "correct":
    guess = (low + high) // 2
    print(guess, flush=True)
    answer = input()
    low, high = (guess + 1, high) if answer == "higher" else (low, guess - 1)
input()
