n = int(input())
assert n < 3
print(sum(map(int, input().split())) / n)
