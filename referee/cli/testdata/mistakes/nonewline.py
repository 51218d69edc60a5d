import sys

for line in sys.stdin:
    sys.stdout.write("1")
    sys.stdout.flush()
