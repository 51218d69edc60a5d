// Rejected after 12 guesses, and goes on for ever.
#include <cstdio>
int main() {
    for (int n = 1;; n = n % 1000 + 1) { printf("%d\n", n); fflush(stdout); }
}
