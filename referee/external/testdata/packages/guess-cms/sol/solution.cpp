#include <iostream>
#include <string>
int main() {
    int low = 1, high = 1000;
    for (;;) {
        int guess = (low + high) / 2;
        std::cout << guess << std::endl;
        std::string answer;
        if (!(std::cin >> answer) || answer == "equal") return 0;
        (answer == "lower" ? high : low) = answer == "lower" ? guess - 1 : guess + 1;
    }
}
