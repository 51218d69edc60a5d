# Plays by asking an HTTP server, as Battlesnake does, in Python 3 without any package. Each line that it reads is
# a path and a body; the body is posted to the server at that path. Of the answer to "move …", a JSON object, it
# writes the member "move". Run it where the server may be reached, beside `umpire remote join`:
#
#   umpire remote join https://umpire.example "python3 post.py http://localhost:8000" --isolation none
#
# Without --isolation none it reaches no network. Umpire itself opens no connection to the server.
import json
import sys
import urllib.request

server = sys.argv[1].rstrip("/")
if not server.startswith(("http://", "https://")):
    sys.exit(f"found {server}, expected http://HOST or https://HOST")
for line in sys.stdin:
    path, _, body = line.rstrip("\n").partition(" ")
    request = urllib.request.Request(f"{server}/{path}", body.encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read(64 << 10)
        if path == "move":
            print(json.loads(text)["move"], flush=True)
    except (OSError, ValueError, KeyError, TypeError) as e:
        sys.exit(f"post {server}/{path}: {e!r}")
