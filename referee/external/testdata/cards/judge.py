"""Ten cards are dealt from the seed; both seats lay one at the same time, and the higher takes both."""
import random
from umpire import ask, end, note, play, say, show

def game():
    deck = list(range(1, 11))
    random.shuffle(deck)
    hands, points = {1: sorted(deck[:5]), 2: sorted(deck[5:])}, {1: 0, 2: 0}
    for seat, hand in hands.items(): say(seat, " ".join(map(str, hand)))
    while hands[1]:
        show(f"{points[1]} to {points[2]}")
        for seat, hand in hands.items(): show(" ".join(map(str, hand)), seat)
        laid = dict(zip((1, 2), map(int, ask(1, 2, choices=hands))))
        note(f"{laid[1]} against {laid[2]}")
        points[max(laid, key=laid.get)] += sum(laid.values())
        for seat, card in laid.items():
            hands[seat].remove(card)
            say(3 - seat, card)
    show(f"{points[1]} to {points[2]}")
    end(points[1], points[2])

play(game)
