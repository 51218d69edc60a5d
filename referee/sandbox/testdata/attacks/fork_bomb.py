# expects: none=skip basic=ok basic-of-user=security+any box=ok strict=ok
# As fork_bomb.c, by an interpreter: at most 2,000 forks.
import os, signal, time
pids = []
try:
    while len(pids) < 2000:
        pid = os.fork()
        if pid == 0:
            signal.alarm(300)
            signal.pause()
            os._exit(0)
        pids.append(pid)
    print("GOT forks")
except OSError:
    pass
if len(pids) > 300:
    time.sleep(100)  # hold them until they are found
try:
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
except PermissionError:  # where signals are refused the alarm ends them
    pass
