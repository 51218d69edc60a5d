"""Speaks to bots as CodinGame does: the preamble, then in each turn some lines, to which a bot writes two."""
from umpire import ask, case, end, say, show

length, flag = map(int, case[0].split())
carts = {seat: [[0, 0], [0, 0]] for seat in (1, 2)}
commands = {"PUSH": 1, "WAIT": 0, "BRAKE": -1}
say("all", length)
say("all", flag)

def position():
    for seat in carts: show(" ".join(f"{at:2} ({speed:+})" for at, speed in carts[seat]))

for turn in range(12):
    position()
    for seat in carts:
        for at, speed in carts[seat] + carts[3 - seat]: say(seat, f"{at} {speed}")
    for i in range(2):  # one `ask` for each line that a bot writes
        for seat, command in zip((1, 2), ask(1, 2, choices={seat: list(commands) for seat in carts})):
            cart = carts[seat][i]
            cart[1] += commands[command]
            cart[0] += cart[1]
            if not 0 <= cart[0] <= length: cart[:] = min(max(cart[0], 0), length), 0
position()
end(*[sum(length - abs(flag - at) for at, _ in carts[seat]) for seat in carts])
