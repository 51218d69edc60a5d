# Killed by a signal while the judge waits for a guess.
import os, signal
print(500, flush=True)
input()
os.kill(os.getpid(), signal.SIGKILL)
