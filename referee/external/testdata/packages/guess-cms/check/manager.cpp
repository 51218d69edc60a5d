// Answers guesses by lower, higher and equal. Few guesses give 1, up to 20 half of that.
#include <cstdio>
int main(int, char **argv) {
    int number, guess, guesses = 0;
    if (scanf("%d", &number) != 1) return 1;
    FILE *from = fopen(argv[1], "r"), *to = fopen(argv[2], "w");
    while (fscanf(from, "%d", &guess) == 1 && guesses < 20) {
        guesses++;
        const char *answer = guess == number ? "equal" : guess < number ? "higher" : "lower";
        fprintf(to, "%s\n", answer);
        fflush(to);
        if (guess == number) {
            fprintf(stderr, "%d guesses\n", guesses);
            puts(guesses <= 11 ? "1.0" : "0.5");
            return 0;
        }
    }
    fprintf(stderr, guesses < 20 ? "no more guesses\n" : "too many guesses\n");
    puts("0.0");
}
