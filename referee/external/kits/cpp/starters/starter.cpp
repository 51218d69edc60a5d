// A bot for tic-tac-toe: reads the board before each of its moves, and answers with a free cell.
#include <iostream>
#include <string>
#include <vector>

int main() {
    std::string board;  // nine characters: X, O, or . for a free cell
    while (std::getline(std::cin, board)) {
        std::vector<int> free;
        for (int cell = 1; cell <= 9; cell++)
            if (board[cell - 1] == '.') free.push_back(cell);
        int move = free.back();                        // YOUR STRATEGY
        std::cerr << "I read " << board << std::endl;  // for you alone: umpire shows the end of it
        std::cout << move << std::endl;                // flushed, as each answer must be
    }
}
