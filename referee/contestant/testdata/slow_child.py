import subprocess
import sys

for line in sys.stdin:
    subprocess.run(["sleep", str(int(sys.argv[1]) / 1000)], stdin=subprocess.DEVNULL)
    print("done", flush=True)
