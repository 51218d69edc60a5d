"""Draws a case of a group from a seed: the same from the same."""
import random, sys
group, seed = sys.argv[1], int(sys.argv[2])
draw = random.Random(seed)
print(*draw.sample(range(1, 10), draw.randint(1, 3)))
