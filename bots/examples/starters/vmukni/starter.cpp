// A starter for vmukni: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games vmukni):
//   read   N K P S (you are seat S of 1 and 2), five rows of tiles, the first K of N queue tiles
//   write  in your moves, every second one, the way in: 1 to 15
//   read   after every move, yours too, the way it took and the tile turned up, 0 if none
#include <cstdlib>
#include <iostream>
#include <vector>
using namespace std;

int board[5][5];
vector<int> tiles;  // of the queue, those that have been turned up

// YOUR STRATEGY: the way in for tiles[move], 1 to 15. Here: each in turn.
int choose(int move) {
    return 1 + move % 15;
}

// Reads a number. The input ends when the match is over.
int readNumber() {
    int number;
    if (!(cin >> number)) exit(0);
    return number;
}

int main() {
    int n = readNumber(), k = readNumber();
    readNumber();  // P, the number of pictures
    int seat = readNumber();
    for (auto &row : board)
        for (int &tile : row) tile = readNumber();
    for (int i = 0; i < k; i++) tiles.push_back(readNumber());
    for (int move = 0; move < n; move++) {
        if (move % 2 == seat - 1) {
            int way = choose(move);
            // Debug output goes to standard error; standard output is for moves alone.
            cerr << "move " << move << " tile " << tiles[move] << " way " << way << '\n';
            cout << way << endl;  // endl flushes; else umpire waits for the line
        }
        readNumber();  // a strategy that looks at the board plays tiles[move] by this way on it
        int turnedUp = readNumber();
        if (turnedUp) tiles.push_back(turnedUp);
    }
}
