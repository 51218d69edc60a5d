import sys
words = sys.stdin.read().split()
sys.exit(42 if len(words) == int(words[0]) + 1 else 43)
