#include "testlib.h"

int main(int, char **argv) {
    FILE *in = fopen(argv[1], "r"), *out = fopen(argv[2], "w");
    int number, guess, guesses = 0;
    if (!in || !out || fscanf(in, "%d", &number) != 1) quitf(_fail, "no number");
    do {
        int read = scanf("%d", &guess);
        if (read == EOF) quitf(_unexpected_eof, "after %d guesses", guesses);
        if (read != 1) quitf(_pe, "not a number");
        if (++guesses > 1000) quitf(_wa, "more than 1000 guesses");
        puts(guess == number ? "equal" : guess < number ? "higher" : "lower");
        fflush(stdout);
    } while (guess != number);
    fprintf(out, "%d\n", guesses);
    fclose(out);
    quitf(_ok, "guessed");
}
