// A starter for Solitärschack: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games solitarschack):
//   read   six rows of six pieces: 1 2 3 4 torn lopare dam springare
//   write  the row and column, 1 to 6, of the piece you remove; `0 0` ends the match
//   read   after each removal the piece that appears there, or `blank`
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef char Piece[16];

static Piece board[6][6];
static Piece last;                 // the piece just removed
static int row = -1, column = -1;  // and its square; -1 at the start, when all are free to take

// Reports whether the piece just removed leads to a square.
static bool reaches(int to_row, int to_column) {
    int down = abs(to_row - row), right = abs(to_column - column);
    bool edge_row = to_row == 0 || to_row == 5, edge_column = to_column == 0 || to_column == 5;
    if (row < 0) return true;
    if (down == 0 && right == 0) return false;
    if (!strcmp(last, "springare")) return down * right == 2;
    bool straight = down == 0 || right == 0, diagonal = down == right;
    if (last[0] >= '1' && last[0] <= '4')
        return (down > right ? down : right) == last[0] - '0' && (straight || diagonal);
    bool torn = (right == 0 && edge_row) || (down == 0 && edge_column);
    bool lopare = diagonal && (edge_row || edge_column);
    return (torn && strcmp(last, "lopare")) || (lopare && strcmp(last, "torn"));  // a dam is both
}

// YOUR STRATEGY: the next row and column, 0 to 5; false ends the match. Here: the
// first square that can be reached.
static bool choose(int *to_row, int *to_column) {
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++)
            if (strcmp(board[r][c], "blank") && reaches(r, c)) {
                *to_row = r, *to_column = c;
                return true;
            }
    return false;
}

static void read_piece(Piece piece) {
    if (scanf("%15s", piece) != 1) exit(1);
}

int main(void) {
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++) read_piece(board[r][c]);
    int to_row, to_column;
    while (choose(&to_row, &to_column)) {
        row = to_row, column = to_column;
        strcpy(last, board[row][column]);
        // Debug output goes to standard error; standard output is for moves alone.
        fprintf(stderr, "remove %s at %d %d\n", last, row + 1, column + 1);
        printf("%d %d\n", row + 1, column + 1);
        fflush(stdout);  // else the line waits in a buffer, and umpire for it
        read_piece(board[row][column]);
    }
    printf("0 0\n");
    return 0;
}
