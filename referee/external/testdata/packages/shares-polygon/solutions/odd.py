total = sum(map(int, input().split()))
print(total if total != 11 else "eleven")
