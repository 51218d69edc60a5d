// A starter for mensch-5: a plain, correct solution. Make answer() your own.
// The protocol (in full: umpire games mensch-5):
//   read   a line with A, B and m, a line with q, up to 1000, and q requests, one a line
//   write  for each request its answer (giveup has none), and the board in 11 lines
//   end    with exit status 0
#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>
using namespace std;

int a, b, m, x;      // the die
vector<int> unused;  // numbers of the last roll
const string colours = "RBGY";
int turn;  // index in colours of the colour to move

// The step of each piece: -1 to -4 in its corner cells, 0 to 39 on the track, 40 to 43 final.
vector<vector<int>> steps(4, {-1, -2, -3, -4});

const int cells[11][11] = {  // of the picture; 0 is none
    {41, 42, 0, 0, 9, 10, 11, 0, 0, 49, 50},
    {43, 44, 0, 0, 8, 53, 12, 0, 0, 51, 52},
    {0, 0, 0, 0, 7, 54, 13, 0, 0, 0, 0},
    {0, 0, 0, 0, 6, 55, 14, 0, 0, 0, 0},
    {1, 2, 3, 4, 5, 56, 15, 16, 17, 18, 19},
    {40, 45, 46, 47, 48, 0, 64, 63, 62, 61, 20},
    {39, 38, 37, 36, 35, 72, 25, 24, 23, 22, 21},
    {0, 0, 0, 0, 34, 71, 26, 0, 0, 0, 0},
    {0, 0, 0, 0, 33, 70, 27, 0, 0, 0, 0},
    {65, 66, 0, 0, 32, 69, 28, 0, 0, 57, 58},
    {67, 68, 0, 0, 31, 30, 29, 0, 0, 59, 60},
};

// The next number of the die.
int roll() {
    int number = x % 6 + 1;
    x = (a * x + b) % m;
    return number;
}

bool has(const vector<int> &list, int number) {
    return find(list.begin(), list.end(), number) != list.end();
}

// The cell of a step on a colour's path.
int cell(int colour, int step) {
    if (step < 0) return 40 + 8 * colour - step;
    return step < 40 ? (10 * colour + step) % 40 + 1 : 5 + 8 * colour + step;
}

// Uses a number to take a piece to a step, and returns its cell.
string go(int piece, int number, int step) {
    unused.erase(find(unused.begin(), unused.end(), number));
    int there = cell(turn, step);
    for (int colour = 0; colour < 4; colour++)
        for (int other = 0; other < 4; other++)
            if (cell(colour, steps[colour][other]) == there) {  // the piece there goes back
                int corner = -1;
                while (has(steps[colour], corner)) corner--;
                steps[colour][other] = corner;
            }
    steps[turn][piece] = step;
    if (unused.empty()) turn = (turn + 1) % 4;
    return to_string(there);
}

// YOUR SOLUTION: the answer to a request; empty where there is none.
string answer(const string &request) {
    istringstream in(request);
    string word, name;
    int number = 0;
    in >> word >> name >> number;
    if (word == "dice") {
        if (!unused.empty()) return "invalid dice rolling";
        string all;
        do {
            unused.push_back(roll());
            all += (all.empty() ? "" : " ") + to_string(unused.back());
        } while (unused.back() == 6);
        return all;
    }
    if (word == "giveup") {
        if (!unused.empty()) turn = (turn + 1) % 4;
        unused.clear();
        return "";
    }
    int piece = name[1] - '1';
    const vector<int> &mine = steps[turn];
    if (name[0] != colours[turn]) return "it is not your turn";
    if (word == "enter") {
        if (mine[piece] >= 0) return "that is in";
        if (!has(unused, 6)) return "you need six";
        if (has(mine, 0)) return "busy starting cell";
        return go(piece, 6, 0);
    }
    int step = mine[piece] + number;
    if (!has(unused, number)) return "invalid move";
    if (mine[piece] < 0) return "it is not in";
    if (step > 43) return "you can not move";
    if (has(mine, step)) return "destination is busy";
    return go(piece, number, step);
}

// The picture of the board.
string board() {
    string pieces[73], picture;
    for (int colour = 0; colour < 4; colour++)
        for (int i = 0; i < 4; i++)
            pieces[cell(colour, steps[colour][i])] = colours[colour] + to_string(i + 1);
    for (auto &row : cells)
        for (int column = 0; column < 11; column++) {
            int here = row[column];
            string empty = here == 0 ? ".." : here <= 40 ? "oo" : "xx";
            picture += pieces[here].empty() ? empty : pieces[here];
            picture += column < 10 ? '.' : '\n';
        }
    return picture;
}

int main() {
    int q;
    string request;
    cin >> a >> b >> m >> q;
    getline(cin, request);  // the end of q's line
    x = b;
    for (int i = 0; i < q && getline(cin, request); i++) {
        string reply = answer(request);
        if (!reply.empty()) cout << reply << '\n';  // faster than endl
        cout << board();
    }
    // Debug output goes to standard error; standard output is for the answers alone.
    cerr << "answered " << q << " requests\n";
}
