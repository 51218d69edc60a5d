#include <iostream>
#include <string>
#include <vector>

int main() {
	std::vector<std::string> lines;
	for (std::string line; std::getline(std::cin, line);)
		lines.push_back(line);
	std::cout << 1 << std::endl;
}
