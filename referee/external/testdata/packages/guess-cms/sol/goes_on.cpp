#include <iostream>
int main() { for (int i = 1; i <= 1000; i++) std::cout << 1000 << std::endl; for (;;) ; }
