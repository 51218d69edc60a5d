# Closes its input, and guesses on.
import os
os.close(0)
for guess in range(1, 13):
    print(guess, flush=True)
