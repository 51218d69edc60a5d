# One thread reads, another thinks and answers.
import queue
import sys
import threading
import time

lines = queue.Queue()


def think():
    while True:
        lines.get()
        time.sleep(int(sys.argv[1]) / 1000)
        print("done", flush=True)


threading.Thread(target=think, daemon=True).start()
for line in sys.stdin:
    lines.put(line)
