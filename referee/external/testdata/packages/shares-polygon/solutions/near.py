total = sum(map(int, input().split()))
print(total + (total >= 100))
