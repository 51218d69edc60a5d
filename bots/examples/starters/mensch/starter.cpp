// A starter for mensch: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games mensch):
//   read   your colour and all that play (B RBGY), then what others do (R move R2 1 2),
//          `turn` when it is your turn, and `end`
//   write  in your turn a request (dice, enter B1, move B1 4), read its answer, and so
//          on until all numbers are used, or end it by giveup, which has no answer
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>
using namespace std;

const int corner = -1;  // the step of a piece not in play; 0 to 39 is the track, 40 to 43 home

string me;                                        // my colour
int steps[4] = {corner, corner, corner, corner};  // of my pieces

// The step to which a number takes a piece of mine, -1 if it can't be used for it.
int target(int piece, int number) {
    int step = steps[piece] + number;
    if (steps[piece] == corner) step = number == 6 ? 0 : -1;
    if (step > 43 || count(steps, steps + 4, step)) return -1;
    return step;
}

// YOUR STRATEGY: a piece, 0 to 3, and one of the unused numbers; false to give up.
// Here: the first that is possible.
bool choose(const vector<int> &unused, int &piece, int &number) {
    for (int n : unused)
        for (int p = 0; p < 4; p++)
            if (target(p, n) >= 0) {
                piece = p, number = n;
                return true;
            }
    return false;
}

// The cell of a step on my path.
int cell(int step) {
    int k = string("RBGY").find(me);
    return step < 40 ? (10 * k + step) % 40 + 1 : 45 + 8 * k + step - 40;
}

// Reads a line as words. The input ends when the match is over.
vector<string> readWords() {
    string line, word;
    if (!getline(cin, line)) exit(0);
    vector<string> words;
    for (istringstream in(line); in >> word;) words.push_back(word);
    return words;
}

void takeTurn() {
    cout << "dice" << endl;  // endl flushes; else umpire waits for the line
    vector<int> unused;
    for (const string &number : readWords()) unused.push_back(stoi(number));
    // Debug output goes to standard error; standard output is for requests alone.
    cerr << "first number " << unused[0] << ", my first piece is at step " << steps[0] << '\n';
    while (!unused.empty() && *min_element(steps, steps + 4) < 40) {  // coming home ends the turn
        int piece, number;
        if (!choose(unused, piece, number)) {
            cout << "giveup" << endl;
            return;
        }
        if (steps[piece] == corner)
            cout << "enter " << me << piece + 1 << endl;
        else
            cout << "move " << me << piece + 1 << ' ' << number << endl;
        readWords();  // the cell, or why the request was refused
        steps[piece] = target(piece, number);
        unused.erase(find(unused.begin(), unused.end(), number));
    }
}

int main() {
    me = readWords()[0];
    while (true) {
        vector<string> words = readWords();
        if (words[0] == "end") return 0;
        if (words[0] == "turn") {
            takeTurn();
        } else if (words[1] == "enter" || words[1] == "move") {
            for (int &step : steps)  // another piece landed on mine: it goes back
                if (step != corner && cell(step) == stoi(words.back())) step = corner;
        }
    }
}
