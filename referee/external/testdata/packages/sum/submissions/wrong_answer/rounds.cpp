#include <cstdio>
int main() {
    long long n, sum = 0, x;
    if (scanf("%lld", &n) != 1) return 1;
    for (int i = 0; i < n && scanf("%lld", &x) == 1; i++) sum += x;
    printf("%lld\n", sum / n);
}
