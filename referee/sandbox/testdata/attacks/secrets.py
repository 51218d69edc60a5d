# expects: none=any basic=ok box=ok strict=ok
# Looks for what it was not given, by way of links and odd paths.
import os
secret = os.environ["SECRET"]
for path in [secret, "/proc/self/root" + secret, "/proc/1/root" + secret, "/proc/self/cwd/.." + secret]:
    try:
        open(path).read()
        print("GOT", path.replace(secret, "SECRET"))
    except OSError:
        pass
for name in os.environ.get("NAMES", "").split():
    if name in os.environ:
        print("GOT", name)
