kind, word = input().split()
print(word[0] + "12" if kind == "pack" else word[0] * int(word[1:]))
