"""What a judge says to umpire and hears from it: see `umpire help topic own-games`."""
import json, random, sys

def tell(*words): sys.stdout.write(" ".join(map(str, words)) + "\n")

def hear():
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line: sys.exit()
    return line.rstrip("\n")

def begin():
    """Begins the match: its number of seats, its seed, by which random draws, and the lines of its case."""
    global seats, seed, case
    _, _, n, seed, lines = hear().split()
    seats, seed = int(n), int(seed)
    case = [hear() for _ in range(int(lines))]
    random.seed(seed)

def play(game):
    """Calls game() for each match, with judge-matches: many."""
    while True:
        try: game()
        except SystemExit: pass
        begin()

def _lines(verb, text):
    for line in str(text).split("\n"): tell(verb, line)

def show(text, seat=None): _lines(f"show-to {seat}" if seat else "show", text)
def svg(text, seat=None): tell(f"svg-to {seat}" if seat else "svg", text.replace("\n", " "))
def state(value, seat=None): tell(f"state-to {seat}" if seat else "state", json.dumps(value))
def note(text): _lines("note", text)
def say(seat, text): _lines(f"say {seat}", text)
def value(seat, number, reply, exact=True): tell("value", seat, number, "exact" if exact else "estimate", reply)
def foul(seat, why): tell("foul", seat, why)
def refuse(line, why): tell("refuse", line, why) or hear()

def ask(*asked, choices=()):
    """Asks a seat, or several at the same time: what it replied, or a list; None for one that has failed.
    Choices are a list of what may be replied, or such lists by seat."""
    for seat in asked:
        for choice in choices[seat] if isinstance(choices, dict) else choices: tell("choice", seat, choice)
    tell("ask", *asked)
    replies = []
    for _ in asked:
        verb, _, text = (hear() + "  ").split(" ", 2)
        replies.append(text[:-2] if verb == "reply" else None)
    return replies[0] if len(asked) == 1 else replies

def end(*scores, places=()):
    """Ends the match: a score for each seat, higher is better."""
    if places: tell("place", *places)
    sys.exit(tell("end", *scores) or sys.stdout.flush())
def win(*winners): end(*[int(seat in winners) for seat in range(1, seats + 1)])
def draw(): end(*[0.5] * seats)

begin()
