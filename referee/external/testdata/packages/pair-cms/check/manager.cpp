// Process 0 sends numbers, process 1 gets them, and must send back their squares.
#include <cstdio>
int main(int, char **argv) {
    int rounds, number, square, right = 0;
    if (scanf("%d", &rounds) != 1) return 1;
    FILE *from[2], *to[2];
    for (int i = 0; i < 2; i++) {
        from[i] = fopen(argv[1 + 2 * i], "r");
        to[i] = fopen(argv[2 + 2 * i], "w");
    }
    fprintf(to[0], "%d\n", rounds);
    fprintf(to[1], "%d\n", rounds);
    fflush(to[0]);
    fflush(to[1]);
    for (int i = 0; i < rounds; i++) {
        if (fscanf(from[0], "%d", &number) != 1) break;
        fprintf(to[1], "%d\n", number);
        fflush(to[1]);
        if (fscanf(from[1], "%d", &square) != 1) break;
        right += square == number * number;
    }
    fprintf(stderr, "%d of %d\n", right, rounds);
    printf("%f\n", right == rounds ? 1.0 : 0.0);
}
