import sys

_, output, answer = (open(name).read().split() for name in sys.argv[1:])


def end(status, *words):
    print(*words, file=sys.stderr)
    sys.exit(status)


if len(output) != 1:
    end(3, "FAIL the interactor has written nothing")
if int(output[0]) > int(answer[0]):
    end(1, "wrong answer", output[0], "guesses")
end(0, "ok", output[0], "guesses")
