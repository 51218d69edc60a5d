book = open("book.txt").read()
print(book)
