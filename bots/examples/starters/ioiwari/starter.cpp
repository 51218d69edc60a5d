// A starter for Ioiwari: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games ioiwari):
//   read   one line with the beads in the pits 1 to 7; seat 1 then moves first
//   write  on your turn the number of a pit that is not empty, 1 to 7
//   read   on the opponent's turn the number of the pit it played
#include <array>
#include <cstdlib>
#include <iostream>
using namespace std;

using Pits = array<int, 7>;

// YOUR STRATEGY: the pit to play, 0 to 6. Here: the first that holds a bead.
int choose(const Pits &pits) {
    int pit = 0;
    while (pits[pit] == 0) pit++;
    return pit;
}

// Plays a pit and returns the beads it brings. To try a move, play it on a copy.
int sow(Pits &pits, int pit) {
    int hand = pits[pit], gain = 0;
    pits[pit] = 0;
    while (true) {
        pit = (pit + 1) % 7;
        if (hand == 1) {  // the last bead takes a pit of 1 to 4, or is the opponent's
            if (pits[pit] >= 1 && pits[pit] <= 4) {
                gain += pits[pit] + 1;
                pits[pit] = 0;
            }
            return gain;
        }
        if (pits[pit] == 5) {  // a full pit gives a bead
            pits[pit]--;
            gain++;
        } else {
            pits[pit]++;
            hand--;
        }
    }
}

// Reads a number. The input ends when the match is over.
int readNumber() {
    int number;
    if (!(cin >> number)) exit(0);
    return number;
}

int main() {
    const char *env = getenv("UMPIRE_SEAT");
    int seat = env ? atoi(env) : 1;
    Pits pits;
    for (int &beads : pits) beads = readNumber();
    for (int turn = 1; pits != Pits{}; turn = 3 - turn) {
        int pit;
        if (turn == seat) {
            pit = choose(pits);
            // Debug output goes to standard error; standard output is for moves alone.
            cerr << "I play " << pit + 1 << ", which holds " << pits[pit] << '\n';
            cout << pit + 1 << endl;  // endl flushes; else umpire waits for the line
        } else {
            pit = readNumber() - 1;
        }
        sow(pits, pit);
    }
}
