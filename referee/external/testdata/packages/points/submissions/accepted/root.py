print(round(int(input()) ** 0.5))
