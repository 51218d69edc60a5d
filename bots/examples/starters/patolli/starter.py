# A starter for Patolli: a plain, correct solution. Make answer() your own.
# The protocol (in full: umpire games patolli):
#   read   lines to the end of the input: 3 markers of the opponent, 3 of the player, r, r rolls
#   write  for each line where the player's markers stand in the end, in order, or GAME OVER
#   end    with exit status 0
import sys

CORNERS = (7, 12, 17, 22, 27, 35, 40, 45, 50)
SQUARES = (9, 16, 25, 36, 49)
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)


def answer(opponent, player, rolls):
    """YOUR SOLUTION: where the player's markers stand after the rolls, in order."""
    for roll in rolls:
        if not player:
            break
        start = min(player)
        player.remove(start)
        end = target(start, roll, opponent + player)
        if end < 52:  # 52 leaves the grid
            player.append(end)
    return sorted(player)


def target(start, roll, occupied):
    """The location to which a roll takes a marker."""
    end = start + roll
    if end > 52 or end in occupied:
        return start
    if end == 52:
        return end
    if end in PRIMES:
        return walk(end, 1, occupied)
    if end in SQUARES:
        return walk(end, -1, occupied)
    if any(start < corner < end for corner in CORNERS):
        multiple = end - end % roll
        return start if multiple in occupied else multiple
    return end


def walk(start, step, occupied):
    """Up to six locations on, or back, but not past 51 and not onto an occupied one."""
    here = start
    for _ in range(6):
        if here + step in occupied:
            return here
        if here + step == 52:
            return start
        here += step
    return here


def main():
    count = 0
    for line in sys.stdin:
        numbers = [int(word) for word in line.split()]
        if numbers:
            left = answer(numbers[:3], numbers[3:6], numbers[7:])
            print(" ".join(str(marker) for marker in left) or "GAME OVER")
            count += 1
    # Debug output goes to standard error; standard output is for the answers alone.
    print("answered", count, "lines", file=sys.stderr)


if __name__ == "__main__":
    main()
