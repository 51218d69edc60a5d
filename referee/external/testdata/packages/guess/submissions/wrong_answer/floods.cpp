// Writes a lot at once, and never reads.
#include <cstdio>
int main() {
    for (int n = 0; n < 200000; n++) puts("1000");
}
