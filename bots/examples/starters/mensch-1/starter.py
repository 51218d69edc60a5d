# A starter for mensch-1: a plain, correct solution. Make solve() your own.
# The protocol (in full: umpire games mensch-1):
#   read   one integer, 1 to 6
#   write  the face of the die that shows it: 5 lines of 5 characters
#   end    with exit status 0
import sys

FACES = [
    "...../...../..o../...../.....",
    "...../...o./...../.o.../.....",
    "...../...o./..o../.o.../.....",
    "...../.o.o./...../.o.o./.....",
    "...../.o.o./..o../.o.o./.....",
    "...../.o.o./.o.o./.o.o./.....",
]


def solve(d):
    """YOUR SOLUTION: the five lines of face d."""
    return FACES[d - 1].split("/")


def main():
    d = int(input())
    # Debug output goes to standard error; standard output is for the answer alone.
    print("face", d, file=sys.stderr)
    for line in solve(d):
        print(line)


if __name__ == "__main__":
    main()
