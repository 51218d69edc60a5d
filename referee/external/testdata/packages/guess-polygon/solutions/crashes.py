print(500, flush=True)
raise SystemExit(len(input()) > 0)
