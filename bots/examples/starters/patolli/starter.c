// A starter for Patolli: a plain, correct solution. Make answer() your own.
// The protocol (in full: umpire games patolli):
//   read   lines to the end of the input: 3 markers of the opponent, 3 of the player, r, r rolls
//   write  for each line where the player's markers stand in the end, in order, or GAME OVER
//   end    with exit status 0
#include <stdbool.h>
#include <stdio.h>

// An X stands at the primes, an S at the squares, from location 0 to 51.
static const char kinds[] = "..XX.X.X.S.X.X..SX.X...X.S...X.X....SX...X.X...X.S..";
static const int corners[] = {7, 12, 17, 22, 27, 35, 40, 45, 50};

static bool occupied[60];  // whether a marker stands on a location

// Up to six locations on, or back, but not past 51 and not onto an occupied one.
static int walk(int start, int step) {
    int here = start;
    for (int i = 0; i < 6 && !occupied[here + step]; i++) {
        if (here + step == 52) return start;
        here += step;
    }
    return here;
}

// The location to which a roll takes a marker.
static int target(int start, int roll) {
    int end = start + roll;
    if (end > 52 || occupied[end]) return start;
    if (end == 52) return end;
    if (kinds[end] == 'X') return walk(end, 1);
    if (kinds[end] == 'S') return walk(end, -1);
    for (int i = 0; i < 9; i++)
        if (start < corners[i] && corners[i] < end) {
            int multiple = end - end % roll;
            return occupied[multiple] ? start : multiple;
        }
    return end;
}

// YOUR SOLUTION: moves the player's marker at the lowest location by a roll. One that
// leaves the grid is at 0.
static void answer(int player[3], int roll) {
    int lowest = -1;
    for (int i = 0; i < 3; i++)
        if (player[i] > 0 && (lowest < 0 || player[i] < player[lowest])) lowest = i;
    if (lowest < 0) return;
    occupied[player[lowest]] = false;
    player[lowest] = target(player[lowest], roll);
    if (player[lowest] == 52) player[lowest] = 0;
    else occupied[player[lowest]] = true;
}

int main(void) {
    int opponent[3], player[3], rolls, roll, count = 0;
    while (scanf("%d %d %d %d %d %d %d", &opponent[0], &opponent[1], &opponent[2],
                 &player[0], &player[1], &player[2], &rolls) == 7) {
        for (int i = 0; i < 60; i++) occupied[i] = false;
        for (int i = 0; i < 3; i++) occupied[opponent[i]] = occupied[player[i]] = true;
        for (int i = 0; i < rolls; i++)
            if (scanf("%d", &roll) == 1) answer(player, roll);
        const char *separator = "";
        for (int location = 1; location < 52; location++)
            for (int i = 0; i < 3; i++)
                if (player[i] == location) {
                    printf("%s%d", separator, location);
                    separator = " ";
                }
        puts(*separator ? "" : "GAME OVER");
        count++;
    }
    // Debug output goes to standard error; standard output is for the answers alone.
    fprintf(stderr, "answered %d lines\n", count);
    return 0;
}
