print("five hundred", flush=True)
input()
