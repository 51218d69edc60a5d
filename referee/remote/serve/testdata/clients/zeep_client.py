"""Plays one match with a client that zeep makes from the description of the service.

python3 zeep_client.py DESCRIPTION 1.1|1.2 KEY
"""
import sys

import zeep
import zeep.exceptions

description, version, key = sys.argv[1:]
service = zeep.Client(description).bind("Umpire", {"1.1": "UmpireSoap", "1.2": "UmpireSoap12"}[version])


def show(info):
    reply = "-" if info.reply is None else info.reply
    print(info.turn, info.state, ",".join(info.lines.line), reply, info.verdict)


seat = service.Join(key=key, wait=30)
print(seat.state, seat.game, seat.seat, "of", seat.seats, ",".join(seat.players.player), seat.timeMs)
info = service.NextTurn(seat.ticket, 1, 30)
while info.state == "move":
    show(info)
    for _ in range(2):
        answer = service.Reply(seat.ticket, info.turn, "2", 30)
    info = answer
show(info)
for r in info.results.result:
    print(r.seat, r.player, r.score, r.place, r.verdict, r.detail or "")
show(service.NextTurn(seat.ticket, 1, 0))
service.Leave(seat.ticket)
try:
    service.Join(key=key, game="<a&b>", wait=0)
except zeep.exceptions.Fault as e:
    print("fault", e.message)
