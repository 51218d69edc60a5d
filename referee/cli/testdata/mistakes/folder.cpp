#include <filesystem>
#include <iostream>

int main() {
	std::cout << std::filesystem::file_size("book.txt") << std::endl;
}
