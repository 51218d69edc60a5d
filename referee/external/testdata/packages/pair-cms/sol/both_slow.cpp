#include <cstdio>
#include <ctime>
// Each process takes 0.4 s of the 0.6 s that both have together.
int main(int, char **argv) {
    FILE *in = fopen(argv[1], "r"), *out = fopen(argv[2], "w");
    while (clock() < CLOCKS_PER_SEC * 2 / 5) ;
    int rounds;
    if (fscanf(in, "%d", &rounds) != 1) return 1;
    for (int i = 0; i < rounds; i++) { fprintf(out, "%d\n", i); fflush(out); }
}
