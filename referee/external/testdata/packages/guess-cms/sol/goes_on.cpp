#include <cstdio>
int main() { for (int i = 1; i <= 1000; i++) { puts("1000"); fflush(stdout); } for (;;) ; }
