/* Ioiwari: plays the pit that brings most now; of equal ones the lowest label. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Plays pit p (from 0) and returns the beads it brings to the mover's bank. */
static int sow(int pits[7], int p) {
    int hand = pits[p], gain = 0;
    pits[p] = 0;
    for (;;) {
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

static int greedy(const int pits[7]) {
    int best = -1, most = -1;
    for (int p = 0; p < 7; p++) {
        if (pits[p] == 0) continue;
        int after[7];
        memcpy(after, pits, sizeof after);
        int gain = sow(after, p);
        if (gain > most) {
            best = p;
            most = gain;
        }
    }
    return best;
}

int main(void) {
    const char *env = getenv("UMPIRE_SEAT");
    int seat = env ? atoi(env) : 1;
    int pits[7], p;
    for (int i = 0; i < 7; i++)
        if (scanf("%d", &pits[i]) != 1) return 1;
    for (int turn = 1; greedy(pits) >= 0; turn = 3 - turn) {
        if (turn == seat) {
            p = greedy(pits);
            printf("%d\n", p + 1);
            fflush(stdout);
        } else {
            if (scanf("%d", &p) != 1) return 0;
            p--;
        }
        sow(pits, p);
    }
    return 0;
}
