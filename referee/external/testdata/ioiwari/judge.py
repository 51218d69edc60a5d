import json
import umpire
from umpire import ask, end, foul, play, say, show, state

def sow(board, pit):
    """Sows a pit, from 0; returns what goes to the banks of the mover and of the other."""
    hand, board[pit], own, other = board[pit], 0, 0, 0
    while hand:
        pit = (pit + 1) % 7
        if hand > 1 and board[pit] == 5:
            board[pit], own = 4, own + 1
        elif hand > 1:
            board[pit], hand = board[pit] + 1, hand - 1
        elif board[pit] in (0, 5):
            hand, other = 0, other + 1
        else:
            board[pit], hand, own = 0, 0, own + board[pit] + 1
    return own, other

def wrong(board, text):
    word = text.strip(" \t\r")
    if not (word.isascii() and word.isdigit() and 1 <= int(word) <= 7):
        return f"answered {json.dumps(text)}, expected a pit, one integer from 1 to 7"
    return None if board[int(word) - 1] else f"pit {int(word)} is empty"

def game():
    board, banks, seat = [int(n) for n in umpire.case[0].split()], [0, 0], 1
    say("all", umpire.case[0])
    while any(board):
        state({"pits": board, "banks": banks})
        show(" ".join(map(str, board)))
        reply = ask(seat)
        why = wrong(board, reply) if reply is not None else None
        if reply is None or why:
            if why: foul(seat, why)
            state({"pits": board, "banks": banks})
            end(*banks, places=(2, 1) if seat == 1 else (1, 2))
        own, other = sow(board, int(reply) - 1)
        banks[seat - 1] += own
        banks[2 - seat] += other
        seat = 3 - seat
        say(seat, int(reply))
    state({"pits": board, "banks": banks})
    end(*banks)

play(game)
