number = int(input())
raise SystemExit(0 if 1 <= number <= 1000 else 3)
