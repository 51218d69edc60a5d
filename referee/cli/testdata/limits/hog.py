"""Plays vmukni by way 1 and, before each reply, takes so many MiB more, or
something else that is limited.

usage: hog.py KIND MIB. What is refused is said on standard error, and the
program goes on without.
"""
import mmap, os, resource, signal, sys, threading

kind, size = sys.argv[1], int(sys.argv[2]) << 20
held = []


def fill(file):
    for _ in range(size >> 20):
        file.write(b"\1" * (1 << 20))
    return file


def heap():
    held.append(b"\1" * size)


def shared():
    held.append(fill(mmap.mmap(-1, size)))


def memfd():
    fill(open(os.memfd_create("hog"), "wb", closefd=False))


def shm():
    fill(open("/dev/shm/%d" % len(held), "wb"))
    held.append(None)


def child():
    r, w = os.pipe()
    if os.fork() == 0:
        heap()
        os.write(w, b"x")
        signal.pause()
    os.read(r, 1)
    os.close(r)
    os.close(w)


def brief():
    """A child that has ended, and was waited for, before the reply."""
    if os.fork() == 0:
        heap()
        os._exit(0)
    os.wait()


def later():
    """Takes 1 GiB in steps after its first reply, in the opponent's turn."""
    def grow():
        for _ in range(1024):
            held.append(b"\1" * (1 << 20))
    if not held:
        held.append(None)
        threading.Thread(target=grow, daemon=True).start()


def burst():
    """All at the third reply."""
    held.append(None)
    if len(held) == 3:
        heap()


def suicide():
    held.append(None)
    if len(held) == 3:
        os.kill(os.getpid(), 9)


def forks():
    """Shares its memory with four children: four times as much by each one's account."""
    if not held:
        heap()
        for _ in range(4):
            if os.fork() == 0:
                signal.pause()
    else:
        os.posix_spawn("/bin/true", ["true"], {})
        os.wait3(0)


def processes():
    n = 0
    try:
        while n < 400:
            if os.fork() == 0:
                signal.pause()
            n += 1
    finally:
        print(n, "processes", file=sys.stderr)


def files():
    try:
        while len(held) < 600:
            held.append(os.dup(0))
    finally:
        print(len(held), "files", file=sys.stderr)


def disk():
    """Writes 96 MiB, a MiB a file; waits to be found."""
    for i in range(96):
        with open("%s/%d" % (os.environ["TMPDIR"], i), "wb") as f:
            f.write(b"1" * (1 << 20))
    signal.pause()


def line():
    print("1" * (65 << 10))


def errors():
    for _ in range(17):
        sys.stderr.write("1" * (1 << 20))


def cpu():
    print(resource.getrlimit(resource.RLIMIT_CPU)[1], "seconds", file=sys.stderr)


def none():
    pass


def slow():
    """Thinks at its second reply, for as many seconds as it would take MiB."""
    held.append(None)
    if len(held) == 2:
        threading.Event().wait(size >> 20)


moves, _, _, seat = map(int, input().split())
for _ in range(6):
    input()
for turn in range(moves):
    if turn % 2 == seat - 1:
        if kind != "later":
            try:
                globals()[kind]()
            except OSError as e:
                print(kind, e, file=sys.stderr)
                kind = "none"
        print(1, flush=True)
        if kind == "later":
            later()
    input()
