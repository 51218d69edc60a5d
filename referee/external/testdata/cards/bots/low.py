hand = input().split()
while hand:
    print(hand.pop(0), flush=True)
    input()
