// A starter for mensch-4: a plain, correct solution. Make answer() your own.
// The protocol (in full: umpire games mensch-4):
//   read   a line with A, B and m, a line with q, up to 1000, and q requests, one a line
//   write  the answers, one a line; giveup has none
//   end    with exit status 0
#include <stdio.h>
#include <string.h>

static int a, b, m, x;             // the die
static int unused[1000], numbers;  // what is left of the last roll, and how many
static const char colours[] = "RBGY";
static int turn;  // index in colours of the colour to move

// The step of each piece: -1 in its corner, 0 to 39 on the track, 40 to 43 final.
static int steps[4][4] = {{-1, -1, -1, -1}, {-1, -1, -1, -1}, {-1, -1, -1, -1}, {-1, -1, -1, -1}};

// The next number of the die.
static int roll(void) {
    int number = x % 6 + 1;
    x = (a * x + b) % m;
    return number;
}

// The place of a number in a list, -1 if it is not there.
static int find(const int *list, int length, int number) {
    for (int i = 0; i < length; i++)
        if (list[i] == number) return i;
    return -1;
}

// The cell of a step on a colour's path.
static int cell(int colour, int step) {
    if (step < 0) return 0;
    return step < 40 ? (10 * colour + step) % 40 + 1 : 5 + 8 * colour + step;
}

// Uses a number to take a piece to a step, and answers with its cell.
static void go(int piece, int number, int step) {
    numbers--;
    for (int i = find(unused, numbers + 1, number); i < numbers; i++) unused[i] = unused[i + 1];
    int there = cell(turn, step);
    for (int colour = 0; colour < 4; colour++)
        for (int other = 0; other < 4; other++)
            if (cell(colour, steps[colour][other]) == there) {  // the piece there goes back
                steps[colour][other] = -1;
            }
    steps[turn][piece] = step;
    if (numbers == 0) turn = (turn + 1) % 4;
    printf("%d\n", there);
}

// YOUR SOLUTION: prints the answer to a request: its first word, its piece, its number.
static void answer(const char *word, const char *name, int number) {
    if (!strcmp(word, "dice")) {
        if (numbers > 0) {
            puts("invalid dice rolling");
            return;
        }
        do {
            unused[numbers++] = roll();
            printf(numbers > 1 ? " %d" : "%d", unused[numbers - 1]);
        } while (unused[numbers - 1] == 6);
        puts("");
        return;
    }
    if (!strcmp(word, "giveup")) {
        if (numbers > 0) turn = (turn + 1) % 4;
        numbers = 0;
        return;
    }
    int piece = name[1] - '1';
    const int *mine = steps[turn];
    if (name[0] != colours[turn]) {
        puts("it is not your turn");
    } else if (!strcmp(word, "enter")) {
        if (mine[piece] >= 0) puts("that is in");
        else if (find(unused, numbers, 6) < 0) puts("you need six");
        else if (find(mine, 4, 0) >= 0) puts("busy starting cell");
        else go(piece, 6, 0);
    } else {
        int step = mine[piece] + number;
        if (find(unused, numbers, number) < 0) puts("invalid move");
        else if (mine[piece] < 0) puts("it is not in");
        else if (step > 43) puts("you can not move");
        else if (find(mine, 4, step) >= 0) puts("destination is busy");
        else go(piece, number, step);
    }
}

int main(void) {
    int q;
    if (scanf("%d %d %d %d ", &a, &b, &m, &q) != 4) return 1;
    x = b;
    char line[64];
    for (int i = 0; i < q && fgets(line, sizeof line, stdin); i++) {
        char word[8] = "", name[8] = "";
        int number = 0;
        sscanf(line, "%7s %7s %d", word, name, &number);
        answer(word, name, number);
    }
    // Debug output goes to standard error; standard output is for the answers alone.
    fprintf(stderr, "answered %d requests\n", q);
    return 0;
}
