import sys

source, out, index = open(sys.argv[1]), open(sys.argv[2], "w"), int(sys.argv[3])
for i in range(int(source.readline())):
    if index == 0:
        print(i, file=out, flush=True)
    else:
        print(int(source.readline()) ** 2, file=out, flush=True)
