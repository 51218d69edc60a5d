import sys
from sums import sum
with open(sys.argv[1]) as source, open(sys.argv[2], "w") as out:
    a, b = map(int, source.readline().split())
    print(sum(a, b), file=out)
