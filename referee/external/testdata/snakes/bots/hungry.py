"""Goes to the nearest food, where the next cell is free."""
import json

WAYS = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}
while True:
    try: path, text = input().split(" ", 1)
    except EOFError: break
    if path != "move": continue
    at = json.loads(text)
    board, head = at["board"], at["you"]["head"]
    taken = {(c["x"], c["y"]) for s in board["snakes"] for c in s["body"][:-1]}

    def rate(way):
        x, y = head["x"] + WAYS[way][0], head["y"] + WAYS[way][1]
        free = 0 <= x < board["width"] and 0 <= y < board["height"] and (x, y) not in taken
        return not free, min((abs(f["x"] - x) + abs(f["y"] - y) for f in board["food"]), default=0)

    print(min(WAYS, key=rate), flush=True)
