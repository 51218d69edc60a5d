# Closes its output after the right guess, and waits for the judge, which waits for its end.
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
for line in sys.stdin:
    pass
