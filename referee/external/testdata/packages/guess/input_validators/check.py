#!/usr/bin/env python3
import re, sys
text = sys.stdin.read()
found = re.fullmatch(r"(\d+) (\d+)\n", text)
sys.exit(42 if found and 1 <= int(found[2]) <= int(found[1]) <= 1000 else 43)
