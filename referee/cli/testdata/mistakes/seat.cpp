#include <iostream>
#include <string>

int main() {
	std::string board, opponent;
	std::getline(std::cin, board);
	while (std::getline(std::cin, opponent))
		std::cout << 1 << std::endl;
}
