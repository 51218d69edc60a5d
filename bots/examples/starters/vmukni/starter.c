// A starter for vmukni: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games vmukni):
//   read   N K P S (you are seat S of 1 and 2), five rows of tiles, the first K of N queue tiles
//   write  in your moves, every second one, the way in: 1 to 15
//   read   after every move, yours too, the way it took and the tile turned up, 0 if none
#include <stdio.h>
#include <stdlib.h>

static int board[5][5];
static int queue[200];  // the tiles that have been turned up
static int visible;     // how many they are

// YOUR STRATEGY: the way in for tile queue[move], 1 to 15. Here: each in turn.
static int choose(int move) {
    return 1 + move % 15;
}

// Reads a number. The input ends when the match is over.
static int read_number(void) {
    int number;
    if (scanf("%d", &number) != 1) exit(0);
    return number;
}

int main(void) {
    int n = read_number();
    visible = read_number();
    read_number();  // P, the number of pictures
    int seat = read_number();
    for (int row = 0; row < 5; row++)
        for (int column = 0; column < 5; column++) board[row][column] = read_number();
    for (int i = 0; i < visible; i++) queue[i] = read_number();
    for (int move = 0; move < n; move++) {
        if (move % 2 == seat - 1) {
            int way = choose(move);
            // Debug output goes to standard error; standard output is for moves alone.
            fprintf(stderr, "move %d tile %d way %d\n", move, queue[move], way);
            printf("%d\n", way);
            fflush(stdout);  // else the line waits in a buffer, and umpire for it
        }
        read_number();  // a strategy that looks at the board plays queue[move] by this way on it
        int turned_up = read_number();
        if (turned_up) queue[visible++] = turned_up;
    }
    return 0;
}
