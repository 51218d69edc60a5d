import sys
raise SystemExit(42 if int(sys.stdin.read()) > 0 else 43)
