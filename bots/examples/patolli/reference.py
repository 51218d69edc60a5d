"""Answers the lines of ACSL Patolli, as many as there are."""
import sys

CORNERS = (7, 12, 17, 22, 27, 35, 40, 45, 50)
SQUARES = (9, 16, 25, 36, 49)
PRIMES = [n for n in range(2, 52) if all(n % d for d in range(2, n))]


def walk(start, step, occupied):
    """Up to six locations on, stopping before the first occupied one."""
    here = start
    for _ in range(6):
        if here + step in occupied:
            break
        if here + step >= 52:
            return start
        here += step
    return here


def target(s, d, occupied):
    """Where a roll takes the marker at s; 52 if off the grid."""
    e = s + d
    if e > 52 or e in occupied:
        return s
    if e == 52:
        return e
    if e in PRIMES:
        return walk(e, 1, occupied)
    if e in SQUARES:
        return walk(e, -1, occupied)
    if any(s < corner < e for corner in CORNERS):
        multiple = e - e % d
        return s if multiple in occupied else multiple
    return e


def answer(numbers):
    opponent, player, rolls = set(numbers[:3]), set(numbers[3:6]), numbers[7:]
    for d in rolls:
        if not player:
            break
        s = min(player)
        player.remove(s)
        e = target(s, d, opponent | player)
        if e < 52:
            player.add(e)
    return " ".join(str(location) for location in sorted(player)) or "GAME OVER"


for line in sys.stdin:
    if line.strip():
        print(answer([int(word) for word in line.split()]))
