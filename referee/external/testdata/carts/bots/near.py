import sys
import math

# Auto-generated code below aims at helping you parse
# the standard input according to the problem statement.

length = int(input())
flag = int(input())

# game loop
while True:
    commands = []
    for i in range(2):
        position, speed = [int(j) for j in input().split()]
        # where it comes to rest if it brakes from now on
        rest = position + speed * (speed - 1) // 2
        commands.append("PUSH" if rest < flag - speed else "BRAKE" if speed > 0 else "WAIT")
    for i in range(2):
        other_position, other_speed = [int(j) for j in input().split()]

    # Write an action using print
    # To debug: print("Debug messages...", file=sys.stderr, flush=True)

    for command in commands:
        print(command)
