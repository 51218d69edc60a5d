#include <iostream>
#include <string>

int main() {
	for (std::string line; std::getline(std::cin, line);)
		std::cout << 1 << std::flush;
}
