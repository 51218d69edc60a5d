// A starter for mensch-2: a plain, correct solution. Make solve() your own.
// The protocol (in full: umpire games mensch-2):
//   read   a line with A, B and m, and a line with n, up to 100000
//   write  n lines, the k-th number on line k
//   end    with exit status 0
#include <stdio.h>

static int numbers[100000];

// YOUR SOLUTION: the first n numbers of the die.
static void solve(int a, int b, int m, int n) {
    for (int k = 0, x = b; k < n; k++) {
        numbers[k] = x % 6 + 1;
        x = (a * x + b) % m;
    }
}

int main(void) {
    int a, b, m, n;
    if (scanf("%d %d %d %d", &a, &b, &m, &n) != 4) return 1;
    // Debug output goes to standard error; standard output is for the answer alone.
    fprintf(stderr, "A %d B %d m %d n %d\n", a, b, m, n);
    solve(a, b, m, n);
    for (int k = 0; k < n; k++) printf("%d\n", numbers[k]);
    return 0;
}
