import sys

group = sys.argv[sys.argv.index("--group") + 1]
numbers = [int(n) for n in input().split()]
sys.exit(0 if group == "large" or sum(numbers) < 100 else 3)
