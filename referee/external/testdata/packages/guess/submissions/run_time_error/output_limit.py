import sys
while True:
    sys.stdout.write(" " * 65536)
