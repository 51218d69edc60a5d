# Leaves a child that holds its output open.
import os, time
if os.fork() == 0:
    time.sleep(3600)
low, high, answer = 1, 1000, ""
while answer != "correct":
    guess = (low + high) // 2
    print(guess, flush=True)
    answer = input()
    low, high = (guess + 1, high) if answer == "higher" else (low, guess - 1)
