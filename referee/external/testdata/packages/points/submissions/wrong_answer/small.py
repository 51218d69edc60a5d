# @EXPECTED_SCORE@: 0
n = int(input())
print(round(n ** 0.5) + (n == 16))
