n = int(input())
print(sum(map(int, input().split())) / n)
while True:
    pass
