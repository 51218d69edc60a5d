// Solitärschack, looking a few moves ahead along the pieces that are visible.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

const string names[] = {"blank", "1", "2", "3", "4", "torn", "lopare", "dam", "springare"};
const int depth = 5;

int board[6][6];  // 0: empty, or not known yet
vector<int> seq;  // removed types

bool border(int x) { return x == 0 || x == 5; }

bool reaches(int p, int r, int c, int r2, int c2) {
    int dr = abs(r - r2), dc = abs(c - c2);
    if (dr == 0 && dc == 0) return false;
    if (p <= 4) return max(dr, dc) == p && (dr == dc || dr == 0 || dc == 0);
    if (p == 8) return dr * dc == 2;
    bool torn = (dc == 0 && border(r2)) || (dr == 0 && border(c2));
    bool lopare = dr == dc && (border(r2) || border(c2));
    return (p != 6 && torn) || (p != 5 && lopare);
}

// kind of the set that begins at i: 1 digits, 2 figures, 0 none
int kind(size_t i) {
    int types = 0;
    for (size_t j = i; j < i + 4; j++) types |= 1 << seq[j];
    return types == 0x1e ? 1 : types == 0x1e0 ? 2 : 0;
}

int score() {
    int total = seq.size(), chain = 0, last = 0;
    for (size_t i = 0, j; i < seq.size(); i = j) {
        for (j = i; j < seq.size() && seq[j] == seq[i]; j++) {}
        if (j - i >= 2) total += 2 * (j - i);
    }
    size_t end = 0;
    for (size_t i = 0; i + 4 <= seq.size();) {
        int k = kind(i);
        if (!k) { i++; continue; }
        int step = seq[i + 1] - seq[i];
        bool ordered = k == 1 && abs(step) == 1 && seq[i + 2] - seq[i + 1] == step && seq[i + 3] - seq[i + 2] == step;
        total += ordered ? 12 : 8;
        chain = last && k != last && end == i ? chain + 1 : 1;
        if (chain >= 2) total += chain == 2 ? 16 : 8;
        last = k;
        end = i += 4;
    }
    return total;
}

// The best score within `left` moves from r, c; a move counts a little more,
// so that dead ends are avoided.
int look(int r, int c, int left, int *bestR, int *bestC) {
    int best = -1;
    for (int r2 = 0; left > 0 && r2 < 6; r2++)
        for (int c2 = 0; c2 < 6; c2++) {
            int p = board[r2][c2];
            if (!p || (!seq.empty() && !reaches(seq.back(), r, c, r2, c2))) continue;
            board[r2][c2] = 0;
            seq.push_back(p);
            int value = 3 + look(r2, c2, left - 1, nullptr, nullptr);
            seq.pop_back();
            board[r2][c2] = p;
            if (value > best) {
                best = value;
                if (bestR) *bestR = r2, *bestC = c2;
            }
        }
    return best < 0 ? score() : best;
}

int read() {
    string name;
    if (!(cin >> name)) exit(1);
    return find(begin(names), end(names), name) - begin(names);
}

int main() {
    for (auto &row : board)
        for (int &p : row) p = read();
    int r = -1, c = -1;
    for (;;) {
        int toR = -1, toC = -1;
        look(r, c, seq.empty() ? 3 : depth, &toR, &toC);
        if (toR < 0) break;
        r = toR, c = toC;
        cout << r + 1 << ' ' << c + 1 << endl;  // endl flushes
        seq.push_back(board[r][c]);
        board[r][c] = read();
    }
    cout << "0 0" << endl;
}
