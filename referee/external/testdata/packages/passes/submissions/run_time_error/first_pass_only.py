kind, word = input().split()
assert kind == "pack"
print(word[0])
