kind, word = input().split()
print(word[0] + str(len(word)) if kind == "pack" else word[0] * int(word[1:]))
