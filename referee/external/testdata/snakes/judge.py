"""Snakes on a board, by the standard rules of Battlesnake; a seat reads what a server of Battlesnake's is posted."""
import json, random, umpire
from umpire import ask, end, note, say, show, state

SIZE, LONGEST = 11, 300
WAYS = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}
STARTS = [(1, 1), (9, 9), (1, 9), (9, 1)]

def point(cell): return {"x": cell[0], "y": cell[1]}

class Snake:
    def __init__(self, seat):
        self.seat, self.health, self.body, self.alive, self.died = seat, 100, [STARTS[seat - 1]] * 3, True, 0

    def json(self):
        return {"id": str(self.seat), "name": f"seat {self.seat}", "health": self.health, "length": len(self.body), "latency": "0",
                "head": point(self.body[0]), "body": [point(c) for c in self.body], "shout": "", "squad": "", "customizations": {}}

def spawn():
    free = [(x, y) for x in range(SIZE) for y in range(SIZE) if not any((x, y) in s.body for s in alive()) and (x, y) not in food]
    if free: food.append(random.choice(free))

def alive(): return [s for s in snakes if s.alive]

def board():
    return {"height": SIZE, "width": SIZE, "food": [point(f) for f in food], "hazards": [], "snakes": [s.json() for s in alive()]}

def tell(path, snake):
    game = {"id": name, "ruleset": {"name": "standard", "version": "v1.0.0"}, "map": "standard", "timeout": 500, "source": ""}
    say(snake.seat, path + " " + json.dumps({"game": game, "turn": turn, "board": board(), "you": snake.json()}))

def draw():
    cells = {f: "*" for f in food}
    for s in alive(): cells.update({c: str(s.seat) for c in s.body[1:]} | {s.body[0]: "ABCD"[s.seat - 1]})
    show("\n".join(" ".join(cells.get((x, y), ".") for x in range(SIZE)) for y in reversed(range(SIZE))))
    state({"turn": turn, "board": board()})

def move(snake, way):
    snake.body = [tuple(a + b for a, b in zip(snake.body[0], WAYS[way]))] + snake.body[:-1]
    snake.health -= 1
    if snake.body[0] in food:
        snake.health, snake.body = 100, snake.body + snake.body[-1:]

def dies(snake):
    """Why a snake dies now; "" if it lives."""
    head = snake.body[0]
    if not all(0 <= n < SIZE for n in head): return "leaves the board"
    if snake.health <= 0: return "starves"
    if any(head in s.body[1:] for s in alive()): return "runs into a snake"
    if any(head == s.body[0] and len(s.body) >= len(snake.body) for s in alive() if s is not snake): return "meets a head"
    return ""

name = "%016x" % random.getrandbits(64)
snakes, food, turn = [Snake(seat) for seat in range(1, umpire.seats + 1)], [], 0
for _ in snakes: spawn()
for s in snakes: tell("start", s)
while len(alive()) > 1 and turn < LONGEST:
    draw()
    for s in alive(): tell("move", s)
    moving = alive()
    ways = dict(zip(moving, ask(*[s.seat for s in moving], choices=list(WAYS))))
    turn += 1
    for s in moving:
        if ways[s] is None: s.alive, s.died = False, turn
        else: move(s, ways[s])
    food = [f for f in food if not any(f == s.body[0] for s in alive())]
    dead = {s: why for s in alive() if (why := dies(s))}
    for s, why in dead.items():
        s.alive, s.died = False, turn
        note(f"seat {s.seat} {why}")
    if not food or random.random() < 0.15: spawn()
for s in snakes: tell("end", s)
draw()
end(*[turn + 1 if s.alive else s.died for s in snakes])
