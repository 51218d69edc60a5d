#include <cstdio>
#include <cstring>
int main(int, char **argv) {
    FILE *in = fopen(argv[1], "r"), *out = fopen(argv[2], "w");
    int rounds, number;
    if (fscanf(in, "%d", &rounds) != 1) return 1;
    for (int i = 0; i < rounds; i++) {
        if (!strcmp(argv[3], "0")) fprintf(out, "%d\n", i);
        else if (fscanf(in, "%d", &number) == 1) fprintf(out, "%d\n", number * number);
        fflush(out);
    }
}
