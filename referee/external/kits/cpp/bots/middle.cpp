#include <iostream>
#include <string>

int main() {
    std::string board;
    while (std::getline(std::cin, board))
        for (int cell : {5, 1, 3, 7, 9, 2, 4, 6, 8})
            if (board[cell - 1] == '.') {
                std::cout << cell << std::endl;
                break;
            }
}
