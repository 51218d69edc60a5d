import sys

_, output, answer = (open(name).read().split() for name in sys.argv[1:])


def end(status, *words):
    print(*words, file=sys.stderr)
    sys.exit(status)


if len(output) != 1 or not output[0].isdigit():
    end(2, "wrong output format")
away = abs(int(output[0]) - int(answer[0]))
if away == 1:
    end(7, "points", 10.25, "nearly")
end(1 if away else 0, "wrong answer" if away else "ok")
