board = input().split()
print(board[7])
