# Has a child play, and ends with its status.
import os, sys
child = os.fork()
if child:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
low, high, answer = 1, 1000, ""
while answer != "correct":
    guess = (low + high) // 2
    print(guess, flush=True)
    answer = input()
    low, high = (guess + 1, high) if answer == "higher" else (low, guess - 1)
