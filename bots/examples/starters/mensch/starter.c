// A starter for mensch: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games mensch):
//   read   your colour and all that play (B RBGY), then what others do (R move R2 1 2),
//          `turn` when it is your turn, and `end`
//   write  in your turn a request (dice, enter B1, move B1 4), read its answer, and so
//          on until all numbers are used, or end it by giveup, which has no answer
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CORNER = -1 };  // the step of a piece not in play; 0 to 39 is the track, 40 to 43 home

static char me;                                          // my colour
static int steps[4] = {CORNER, CORNER, CORNER, CORNER};  // of my pieces
static int unused[1000], numbers;                        // of the roll; how many are left
static char line[4096], *words[1000];                    // the line read last, in words
static int count;                                        // how many words

// The step to which a number takes a piece of mine, -1 if it can't be used for it.
static int target(int piece, int number) {
    int step = steps[piece] + number;
    if (steps[piece] == CORNER) step = number == 6 ? 0 : -1;
    for (int i = 0; i < 4; i++)
        if (steps[i] == step) return -1;
    return step > 43 ? -1 : step;
}

// YOUR STRATEGY: a piece, 0 to 3, and the place of a number in unused; false to give
// up. Here: the first that is possible.
static bool choose(int *piece, int *place) {
    for (*place = 0; *place < numbers; ++*place)
        for (*piece = 0; *piece < 4; ++*piece)
            if (target(*piece, unused[*place]) >= 0) return true;
    return false;
}

// The cell of a step on my path.
static int cell(int step) {
    int k = (int)(strchr("RBGY", me) - "RBGY");
    return step < 40 ? (10 * k + step) % 40 + 1 : 45 + 8 * k + step - 40;
}

// Reads a line as words. The input ends when the match is over.
static void read_words(void) {
    if (!fgets(line, sizeof line, stdin)) exit(0);
    count = 0;
    for (char *word = strtok(line, " \r\n"); word; word = strtok(NULL, " \r\n")) words[count++] = word;
}

static bool home(void) {
    for (int i = 0; i < 4; i++)
        if (steps[i] < 40) return false;
    return true;
}

static void take_turn(void) {
    printf("dice\n");
    fflush(stdout);  // else the line waits in a buffer, and umpire for it
    read_words();
    for (numbers = 0; numbers < count; numbers++) unused[numbers] = atoi(words[numbers]);
    // Debug output goes to standard error; standard output is for requests alone.
    fprintf(stderr, "steps %d %d %d %d, first number %d\n", steps[0], steps[1], steps[2], steps[3], unused[0]);
    while (numbers > 0 && !home()) {  // coming home ends the turn
        int piece, place;
        if (!choose(&piece, &place)) {
            printf("giveup\n");
            fflush(stdout);
            return;
        }
        if (steps[piece] == CORNER)
            printf("enter %c%d\n", me, piece + 1);
        else
            printf("move %c%d %d\n", me, piece + 1, unused[place]);
        fflush(stdout);
        read_words();  // the cell, or why the request was refused
        steps[piece] = target(piece, unused[place]);
        for (numbers--; place < numbers; place++) unused[place] = unused[place + 1];
    }
}

int main(void) {
    read_words();
    me = words[0][0];
    for (;;) {
        read_words();
        if (!strcmp(words[0], "end")) return 0;
        if (!strcmp(words[0], "turn")) {
            take_turn();
        } else if (!strcmp(words[1], "enter") || !strcmp(words[1], "move")) {
            for (int i = 0; i < 4; i++)  // another piece landed on mine: it goes back
                if (steps[i] != CORNER && cell(steps[i]) == atoi(words[count - 1])) steps[i] = CORNER;
        }
    }
}
