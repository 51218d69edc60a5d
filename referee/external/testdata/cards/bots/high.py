hand = input().split()
while hand:
    print(hand.pop(), flush=True)
    input()
