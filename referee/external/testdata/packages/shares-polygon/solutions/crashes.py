total = sum(map(int, input().split()))
print(total if total < 100 else 1 // 0)
