// The judge: IN ANS FEEDBACK/ as arguments, guesses on standard input, answers on standard output.
#include <cstdio>
#include <cstdlib>
#include <cstring>

static FILE *message;

[[noreturn]] static void end(int status) {
    fclose(message);
    _Exit(status);
}

int main(int, char **argv) {
    char path[4096], word[64];
    snprintf(path, sizeof path, "%sjudgemessage.txt", argv[3]);
    message = fopen(path, "w");
    FILE *in = fopen(argv[1], "r");
    int n, secret;
    if (!message || !in || fscanf(in, "%d %d", &n, &secret) != 2) return 1;
    for (int left = 12; left > 0; left--) {
        if (scanf("%63s", word) != 1) {
            fprintf(message, "no guess after %d\n", 12 - left);
            end(43);
        }
        if (word[strspn(word, "0123456789")] || strlen(word) > 9) {
            fprintf(message, "not a number: %.40s\n", word);
            end(43);
        }
        int guess = atoi(word);
        puts(guess == secret ? "correct" : guess < secret ? "higher" : "lower");
        fflush(stdout);
        if (guess == secret) {
            bool more = scanf("%63s", word) == 1;
            if (more) fputs("a guess after the right one\n", message);
            else fprintf(message, "right after %d\n", 13 - left);
            end(more ? 43 : 42);
        }
    }
    fputs("no guess left\n", message);
    end(43);
}
