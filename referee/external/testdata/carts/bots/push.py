import sys
import math

# Auto-generated code below aims at helping you parse
# the standard input according to the problem statement.

length = int(input())
flag = int(input())

# game loop
while True:
    for i in range(4):
        position, speed = [int(j) for j in input().split()]
    print("PUSH")
    print("WAIT")
