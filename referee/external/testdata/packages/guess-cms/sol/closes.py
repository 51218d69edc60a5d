import sys, os
os.close(1)
os.read(0, 1)
