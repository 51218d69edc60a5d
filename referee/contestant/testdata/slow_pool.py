# Children think, and the parent waits for them.
import multiprocessing
import sys
import time


def think(ms):
    time.sleep(ms / 1000)
    return "done"


if __name__ == "__main__":
    with multiprocessing.Pool(2) as pool:
        while sys.stdin.readline():
            print(pool.map(think, [int(sys.argv[1])] * 2)[0], flush=True)
