# In the first pass the submission packs a word into at most half as many letters; in the second it unpacks that.
import os, sys
with open(sys.argv[1]) as f:
    kind, word = f.read().split()
feedback, output = sys.argv[3], sys.stdin.read().split()
def end(status, why):
    with open(feedback + "judgemessage.txt", "w") as f:
        f.write(why)
    sys.exit(status)
if len(output) != 1:
    end(43, "expected one word")
if kind == "pack":
    if len(output[0]) > len(word) / 2:
        end(43, "the packed word is too long")
    with open(feedback + "secret.txt", "w") as f:
        f.write(word)
    with open(feedback + "nextpass.in", "w") as f:
        f.write("unpack " + output[0] + "\n")
    end(42, "packed")
with open(feedback + "secret.txt") as f:
    end(42 if f.read() == output[0] else 43, "unpacked")
