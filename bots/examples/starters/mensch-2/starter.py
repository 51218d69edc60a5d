# A starter for mensch-2: a plain, correct solution. Make solve() your own.
# The protocol (in full: umpire games mensch-2):
#   read   a line with A, B and m, and a line with n, up to 100000
#   write  n lines, the k-th number on line k
#   end    with exit status 0
import sys


def solve(a, b, m, n):
    """YOUR SOLUTION: the first n numbers of the die."""
    numbers = []
    x = b
    for _ in range(n):
        numbers.append(x % 6 + 1)
        x = (a * x + b) % m
    return numbers


def main():
    a, b, m, n = (int(word) for word in sys.stdin.read().split())
    # Debug output goes to standard error; standard output is for the answer alone.
    print("A", a, "B", b, "m", m, "n", n, file=sys.stderr)
    print("\n".join(str(number) for number in solve(a, b, m, n)))  # one write is faster than n


if __name__ == "__main__":
    main()
