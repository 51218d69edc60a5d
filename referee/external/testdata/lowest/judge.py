"""In each round of the case, who alone names the lowest number scores it; who fails is out, and scores -1."""
import sys, umpire
from umpire import ask, end, note, say, show, tell

try: rounds = int(umpire.case[0])
except (ValueError, IndexError):
    tell("refuse 1 expected a number of rounds")
    umpire.hear()
score = {seat: 0 for seat in range(1, umpire.seats + 1)}
playing = list(score)
for _ in range(rounds):
    show(" ".join(map(str, score.values())))
    for seat in playing: say(seat, len(playing))
    replies = ask(*playing, choices=range(1, 10))
    named = dict(zip(playing, replies if isinstance(replies, list) else [replies]))
    for seat in [s for s in playing if named[s] is None]:
        playing.remove(seat)
        score[seat] = -1
    alone = [n for n in range(1, 10) if list(named.values()).count(str(n)) == 1]
    if alone:
        winner = next(s for s in playing if named[s] == str(alone[0]))
        score[winner] += alone[0]
        note(f"seat {winner} scores {alone[0]}")
    if not playing: break
show(" ".join(map(str, score.values())))
end(*score.values())
