import sys

for line in sys.stdin:
    print("thinking about", line.strip())
    print(1, flush=True)
