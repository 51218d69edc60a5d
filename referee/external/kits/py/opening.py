"""A case is the first moves of a match: one line with one to three different cells."""
from umpire import case, refuse

words = case[0].split() if len(case) == 1 else []
if not 1 <= len(set(words)) == len(words) <= 3 or not set(words) <= set("123456789"):
    refuse(1, "expected one line of one to three different cells, such as 5 1")
opening = [int(word) for word in words]
