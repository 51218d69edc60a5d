#include <cstdio>
#include <cstring>
int main() {
    int low = 1, high = 1000;
    for (;;) {
        int guess = (low + high) / 2;
        printf("%d\n", guess);
        fflush(stdout);
        char answer[16];
        if (scanf("%15s", answer) != 1 || !strcmp(answer, "equal")) return 0;
        (strcmp(answer, "lower") ? low : high) = strcmp(answer, "lower") ? guess + 1 : guess - 1;
    }
}
