"""Goes along the walls, counterclockwise."""
import json

while True:
    try: path, text = input().split(" ", 1)
    except EOFError: break
    if path != "move": continue
    at = json.loads(text)
    x, y, last = at["you"]["head"]["x"], at["you"]["head"]["y"], at["board"]["width"] - 1
    print("right" if y == 0 and x < last else "up" if x == last and y < last else "left" if y == last and x > 0 else "down", flush=True)
