#include "sums.h"
int sum(int a, int b) { for (volatile int i = 0;; i = i + 1) ; }
