import sys
import time

for line in sys.stdin:
    time.sleep(int(sys.argv[1]) / 1000)
    print("done", flush=True)
