# A remote player for umpire in Python 3, without any package. It plays vmukni;
# for another game change choose(), or start a program of yours with `umpire remote join`.
#
#   UMPIRE_KEY=the-key-umpire-printed python3 client.py http://127.0.0.1:8370 [MATCHES]
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request


def choose(game, turn, lines, memory):
    """YOUR STRATEGY: the reply to the lines sent since your last turn. Here: each way in turn."""
    return str(1 + turn * 7 % 15)


def request(method, path, secret, body=None):
    """Makes a request, and repeats it until it is answered: every request may be repeated."""
    data = None if body is None else json.dumps(body).encode()
    while True:
        r = urllib.request.Request(sys.argv[1].rstrip("/") + "/api/v1/" + path, data, method=method)
        r.add_header("Authorization", "Bearer " + secret)
        if data is not None:
            r.add_header("Content-Type", "application/json")
        try:
            try:
                answer = urllib.request.urlopen(r, timeout=60)
            except urllib.error.HTTPError as e:
                answer = e
            with answer:
                result = json.load(answer)
            if "error" not in result:
                return result
            code, message = result["error"]["code"], result["error"]["message"]
            if code == "ticket":  # umpire was started again: the match does not count
                return {"state": "void", "verdict": "", "detail": message}
            if code not in ("rate", "full", "slow", "stopping"):
                sys.exit(f"{code}: {message}")
            print(f"{message}, trying again", file=sys.stderr)
        except (OSError, ValueError, http.client.HTTPException) as e:
            print("no answer, trying again:", e, file=sys.stderr)
        time.sleep(1)


def play(seat):
    """Plays one match and returns the last answer."""
    ticket, turn, memory = seat["ticket"], 1, {}
    answer = request("GET", "seat/turns/1?wait=30", ticket)
    while answer["state"] not in ("over", "void"):
        if answer["state"] == "wait":
            answer = request("GET", f"seat/turns/{turn}?wait=30", ticket)
            continue
        # In the state "done" this program was started again: it reads what it replied.
        reply = answer["reply"] if "reply" in answer else choose(seat["game"], turn, answer["lines"], memory)
        answer = request("PUT", f"seat/turns/{turn}?wait=30", ticket, {"reply": reply})
        turn += 1
    return answer


def main():
    matches = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    while matches > 0:
        seat = request("POST", "join", os.environ["UMPIRE_KEY"], {"wait": 30})
        if seat["state"] == "wait":
            continue
        print("seat", seat["seat"], "of", seat["players"], file=sys.stderr)
        end = play(seat)
        print(end["state"], end["verdict"], json.dumps(end.get("results", end["detail"])))
        if end["state"] == "over":  # a void match is played again
            matches -= 1


if __name__ == "__main__":
    main()
