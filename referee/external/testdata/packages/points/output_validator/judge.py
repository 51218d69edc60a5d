# Judges how near the output is to the square root of the input. With the argument
# "near", it says as a share of the points how near that is.
import pathlib, sys

number = int(open(sys.argv[1]).read())
feedback = pathlib.Path(sys.argv[3])
try:
    far = abs(int(sys.stdin.read()) - round(number ** 0.5))
except ValueError:
    sys.exit(43)
if "sample" in sys.argv[2]:
    (feedback / "score.txt").write_text("7\n")  # is ignored
near = "near" in sys.argv[4:]
if far > (9 if near else 0):
    (feedback / "judgemessage.txt").write_text(f"off by {far}")
    sys.exit(43)
if near and far:
    (feedback / "score_multiplier.txt").write_text(f"{1 - far / 10}\n")
sys.exit(42)
