// Ioiwari: plays the pit that brings most now; of equal ones the lowest label.
#include <array>
#include <cstdlib>
#include <iostream>
#include <numeric>
using namespace std;

using Pits = array<int, 7>;

// Plays pit p (from 0) and returns the beads it brings to the mover's bank.
int sow(Pits &pits, int p) {
    int hand = pits[p], gain = 0;
    pits[p] = 0;
    while (true) {
        p = (p + 1) % 7;
        if (hand == 1) {
            if (pits[p] >= 1 && pits[p] <= 4) {
                gain += pits[p] + 1;
                pits[p] = 0;
            }
            return gain;
        }
        if (pits[p] == 5) {
            pits[p]--;
            gain++;
        } else {
            pits[p]++;
            hand--;
        }
    }
}

int greedy(const Pits &pits) {
    int best = -1, most = -1;
    for (int p = 0; p < 7; p++) {
        if (pits[p] == 0) continue;
        Pits after = pits;
        int gain = sow(after, p);
        if (gain > most) best = p, most = gain;
    }
    return best;
}

int main() {
    const char *env = getenv("UMPIRE_SEAT");
    int seat = env ? atoi(env) : 1;
    Pits pits;
    for (int &beads : pits) cin >> beads;
    for (int turn = 1; accumulate(pits.begin(), pits.end(), 0) > 0; turn = 3 - turn) {
        int p;
        if (turn == seat) {
            p = greedy(pits);
            cout << p + 1 << endl;  // endl flushes
        } else {
            if (!(cin >> p)) return 0;
            p--;
        }
        sow(pits, p);
    }
}
