#include <fstream>
#include <string>
int main(int, char **argv) {
    std::ifstream in(argv[1]);
    std::ofstream out(argv[2]);
    int rounds, number;
    in >> rounds;
    for (int i = 0; i < rounds; i++) {
        if (argv[3] == std::string("0")) out << i << std::endl;
        else if (in >> number) out << number * number << std::endl;
    }
}
