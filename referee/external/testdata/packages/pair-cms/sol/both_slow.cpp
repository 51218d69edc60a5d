#include <ctime>
#include <fstream>
// Each process takes 0.4 s of the 0.6 s that both have together.
int main(int, char **argv) {
    std::ifstream in(argv[1]);
    std::ofstream out(argv[2]);
    while (clock() < CLOCKS_PER_SEC * 2 / 5) ;
    int rounds;
    in >> rounds;
    for (int i = 0; i < rounds; i++) out << i << std::endl;
}
