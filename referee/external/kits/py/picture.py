"""The board as a picture, in which a free cell is a button."""
from umpire import svg

GRID = '<path d="M1 0V3M2 0V3M0 1H3M0 2H3" fill="none" stroke="currentColor" stroke-width="0.03"/>'

def cell(i, mark):
    x, y = i % 3, i // 3
    if mark == "X":
        return f'<path d="M{x}.2 {y}.2L{x}.8 {y}.8M{x}.8 {y}.2L{x}.2 {y}.8" stroke="#d33" stroke-width="0.1"/>'
    if mark == "O":
        return f'<circle cx="{x}.5" cy="{y}.5" r="0.3" fill="none" stroke="#36c" stroke-width="0.1"/>'
    return f'<rect x="{x}" y="{y}" width="1" height="1" fill-opacity="0" data-reply="{i + 1}"/>'

def draw_picture(board):
    cells = "".join(cell(i, mark) for i, mark in enumerate(board))
    svg(f'<svg viewBox="0 0 3 3">{GRID}{cells}</svg>')
