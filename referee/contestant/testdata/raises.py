input()
print(1 // 0)
