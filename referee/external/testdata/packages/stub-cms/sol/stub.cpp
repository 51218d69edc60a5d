#include <cstdio>
#include "sums.h"
int main(int, char **argv) {
    FILE *in = fopen(argv[1], "r"), *out = fopen(argv[2], "w");
    int a, b;
    if (fscanf(in, "%d %d", &a, &b) != 2) return 1;
    fprintf(out, "%d\n", sum(a, b));
    return fclose(out);
}
