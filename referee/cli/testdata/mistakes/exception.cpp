#include <iostream>
#include <vector>

int main() {
	std::vector<int> board(7);
	for (int &pit : board)
		std::cin >> pit;
	std::cout << board.at(7) << std::endl;
}
