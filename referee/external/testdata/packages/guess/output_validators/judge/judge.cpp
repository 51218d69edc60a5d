// The judge: IN ANS FEEDBACK/ as arguments, guesses on standard input, answers on standard output.
#include <fstream>
#include <iostream>
#include <string>

static std::ofstream message;

[[noreturn]] static void end(int status, const std::string &why) {
    message << why << "\n";
    message.close();
    _Exit(status);
}

int main(int, char **argv) {
    std::ifstream in(argv[1]);
    message.open(std::string(argv[3]) + "judgemessage.txt");
    int n, secret;
    in >> n >> secret;
    for (int left = 12; left > 0; left--) {
        std::string word;
        if (!(std::cin >> word)) end(43, "no guess after " + std::to_string(12 - left));
        if (word.find_first_not_of("0123456789") != std::string::npos || word.size() > 9) end(43, "not a number: " + word.substr(0, 40));
        int guess = std::stoi(word);
        std::cout << (guess == secret ? "correct" : guess < secret ? "higher" : "lower") << std::endl;
        if (guess == secret) {
            if (std::cin >> word) end(43, "a guess after the right one");
            end(42, "right after " + std::to_string(13 - left));
        }
    }
    end(43, "no guess left");
}
