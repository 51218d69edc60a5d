// A starter for Solitärschack: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games solitarschack):
//   read   six rows of six pieces: 1 2 3 4 torn lopare dam springare
//   write  the row and column, 1 to 6, of the piece you remove; `0 0` ends the match
//   read   after each removal the piece that appears there, or `blank`
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
using namespace std;

string board[6][6];
string last;                // the piece just removed
int row = -1, column = -1;  // and its square; -1 at the start, when all are free to take

// Reports whether the piece just removed leads to a square.
bool reaches(int toRow, int toColumn) {
    int down = abs(toRow - row), right = abs(toColumn - column);
    bool edgeRow = toRow == 0 || toRow == 5, edgeColumn = toColumn == 0 || toColumn == 5;
    if (row < 0) return true;
    if (down == 0 && right == 0) return false;
    if (last == "springare") return down * right == 2;
    bool straight = down == 0 || right == 0, diagonal = down == right;
    if (last.size() == 1) return max(down, right) == last[0] - '0' && (straight || diagonal);
    bool torn = (right == 0 && edgeRow) || (down == 0 && edgeColumn);
    bool lopare = diagonal && (edgeRow || edgeColumn);
    return (torn && last != "lopare") || (lopare && last != "torn");  // a dam is both
}

// YOUR STRATEGY: the next row and column, 0 to 5; false ends the match. Here: the
// first square that can be reached.
bool choose(int &toRow, int &toColumn) {
    for (toRow = 0; toRow < 6; toRow++)
        for (toColumn = 0; toColumn < 6; toColumn++)
            if (board[toRow][toColumn] != "blank" && reaches(toRow, toColumn)) return true;
    return false;
}

int main() {
    for (auto &line : board)
        for (string &piece : line) cin >> piece;
    int toRow, toColumn;
    while (choose(toRow, toColumn)) {
        row = toRow, column = toColumn;
        last = board[row][column];
        // Debug output goes to standard error; standard output is for moves alone.
        cerr << "remove " << last << " at " << row + 1 << ' ' << column + 1 << '\n';
        cout << row + 1 << ' ' << column + 1 << endl;  // endl flushes; else umpire waits
        if (!(cin >> board[row][column])) return 1;
    }
    cout << "0 0" << endl;
}
