// A starter for Ioiwari: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games ioiwari):
//   read   one line with the beads in the pits 1 to 7; seat 1 then moves first
//   write  on your turn the number of a pit that is not empty, 1 to 7
//   read   on the opponent's turn the number of the pit it played
#include <stdio.h>
#include <stdlib.h>

// YOUR STRATEGY: the pit to play, 0 to 6. Here: the first that holds a bead.
static int choose(const int pits[7]) {
    int pit = 0;
    while (pits[pit] == 0) pit++;
    return pit;
}

// Plays a pit and returns the beads it brings. To try a move, play it on a copy.
static int sow(int pits[7], int pit) {
    int hand = pits[pit], gain = 0;
    pits[pit] = 0;
    for (;;) {
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
static int read_number(void) {
    int number;
    if (scanf("%d", &number) != 1) exit(0);
    return number;
}

int main(void) {
    const char *env = getenv("UMPIRE_SEAT");
    int seat = env ? atoi(env) : 1;
    int pits[7], beads = 0;
    for (int i = 0; i < 7; i++) beads += pits[i] = read_number();
    for (int turn = 1; beads > 0; turn = 3 - turn) {
        int pit;
        if (turn == seat) {
            pit = choose(pits);
            // Debug output goes to standard error; standard output is for moves alone.
            fprintf(stderr, "I play %d, which holds %d\n", pit + 1, pits[pit]);
            printf("%d\n", pit + 1);
            fflush(stdout);  // else the line waits in a buffer, and umpire for it
        } else {
            pit = read_number() - 1;
        }
        sow(pits, pit);
        beads = 0;
        for (int i = 0; i < 7; i++) beads += pits[i];
    }
    return 0;
}
