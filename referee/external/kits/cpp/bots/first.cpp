#include <iostream>
#include <string>

int main() {
    std::string board;
    while (std::getline(std::cin, board)) std::cout << board.find('.') + 1 << std::endl;
}
