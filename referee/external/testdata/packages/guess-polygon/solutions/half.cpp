#include <stdio.h>

int main() {
    int low = 1, high = 1000;
    for (char answer[10] = "";;) {
        int guess = (low + high) / 2;
        printf("%d\n", guess);
        fflush(stdout);
        if (scanf("%9s", answer) != 1 || answer[0] == 'e') return 0;
        (answer[0] == 'l' ? high : low) = answer[0] == 'l' ? guess - 1 : guess + 1;
    }
}
