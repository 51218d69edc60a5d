import sys

source, out, index = open(sys.argv[1]), open(sys.argv[2], "w"), int(sys.argv[3])
if index == 1:
    sys.exit(5)
source.readline()
print(1, file=out, flush=True)
source.read()
