#include <iostream>
#include <string>

int main() {
	for (std::string line; std::getline(std::cin, line);) {
		std::cout << "thinking about " << line << std::endl;
		std::cout << 1 << std::endl;
	}
}
