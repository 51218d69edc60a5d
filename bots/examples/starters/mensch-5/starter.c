// A starter for mensch-5: a plain, correct solution. Make answer() your own.
// The protocol (in full: umpire games mensch-5):
//   read   a line with A, B and m, a line with q, up to 1000, and q requests, one a line
//   write  for each request its answer (giveup has none), and the board in 11 lines
//   end    with exit status 0
#include <stdio.h>
#include <string.h>

static int a, b, m, x;             // the die
static int unused[1000], numbers;  // what is left of the last roll, and how many
static const char colours[] = "RBGY";
static int turn;  // index in colours of the colour to move

// The step of each piece: -1 to -4 in its corner cells, 0 to 39 on the track, 40 to 43 final.
static int steps[4][4] = {{-1, -2, -3, -4}, {-1, -2, -3, -4}, {-1, -2, -3, -4}, {-1, -2, -3, -4}};

static const int cells[11][11] = {  // of the picture; 0 is none
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
    if (step < 0) return 40 + 8 * colour - step;
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
                int corner = -1;
                while (find(steps[colour], 4, corner) >= 0) corner--;
                steps[colour][other] = corner;
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

// Prints the board.
static void board(void) {
    for (int row = 0; row < 11; row++)
        for (int column = 0; column < 11; column++) {
            int here = cells[row][column];
            char text[3] = "..";
            if (here > 0) strcpy(text, here <= 40 ? "oo" : "xx");
            for (int colour = 0; colour < 4; colour++)
                for (int i = 0; i < 4; i++)
                    if (cell(colour, steps[colour][i]) == here) {
                        text[0] = colours[colour];
                        text[1] = (char)('1' + i);
                    }
            printf("%s%c", text, column < 10 ? '.' : '\n');
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
        board();
    }
    // Debug output goes to standard error; standard output is for the answers alone.
    fprintf(stderr, "answered %d requests\n", q);
    return 0;
}
