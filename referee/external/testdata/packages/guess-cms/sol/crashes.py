print(500, flush=True)
raise SystemExit(3)
