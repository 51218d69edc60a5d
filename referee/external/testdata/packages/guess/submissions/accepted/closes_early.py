# Closes its output after the right guess, and ends a little later.
import sys
low, high = 1, 1000
while True:
    guess = (low + high) // 2
    print(guess, flush=True)
    answer = input()
    if answer == "correct":
        break
    low, high = (guess + 1, high) if answer == "higher" else (low, guess - 1)
sys.stdout.close()
sum(range(1000000))
