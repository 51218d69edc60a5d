#include <cstdio>
#include <cstring>
int main() {
    int low = 1, high = 1000;
    for (char answer[16] = ""; strcmp(answer, "correct");) {
        int guess = (low + high) / 2;
        printf("%d\n", guess);
        fflush(stdout);
        if (scanf("%15s", answer) != 1) return 1;
        if (!strcmp(answer, "higher")) low = guess + 1; else high = guess - 1;
    }
}
