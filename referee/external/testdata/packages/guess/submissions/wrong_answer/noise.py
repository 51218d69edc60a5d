print("fifty", flush=True)
for line in open(0): pass
