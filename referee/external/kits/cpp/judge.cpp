// Tic-tac-toe. A case is the first moves of a match: one line with one to three different
// cells. With arguments, a group and a seed, it draws a case.
#include <algorithm>
#include <numeric>
#include <random>

#include "umpire.hpp"

using umpire::Text, umpire::Texts;

Text picture(const Text& board) {
    std::ostringstream out;
    out << "<svg viewBox='0 0 3 3'><path d='M1 0V3M2 0V3M0 1H3M0 2H3' fill='none' stroke='currentColor' stroke-width='0.03'/>";
    for (int i = 0; i < 9; i++) {
        int x = i % 3, y = i / 3;
        if (board[i] == 'X')
            out << "<path d='M" << x << ".2 " << y << ".2l.6 .6M" << x << ".8 " << y << ".2l-.6 .6' stroke='#d33' stroke-width='0.1'/>";
        else if (board[i] == 'O')
            out << "<circle cx='" << x << ".5' cy='" << y << ".5' r='0.3' fill='none' stroke='#36c' stroke-width='0.1'/>";
        else
            out << "<rect x='" << x << "' y='" << y << "' width='1' height='1' fill-opacity='0' data-reply='" << i + 1 << "'/>";
    }
    return out.str() + "</svg>";
}

void position(const Text& board) {
    umpire::show(board.substr(0, 3) + "\n" + board.substr(3, 3) + "\n" + board.substr(6));
    umpire::svg(picture(board));
}

bool wins(const Text& board, char mark) {
    for (Text line : {"012", "345", "678", "036", "147", "258", "048", "246"})
        if (std::all_of(line.begin(), line.end(), [&](char c) { return board[c - '0'] == mark; })) return true;
    return false;
}

Texts opening() {
    Texts cells;
    std::istringstream in(umpire::given.size() == 1 ? umpire::given[0] : "");
    for (Text cell; in >> cell; cells.push_back(cell))
        if (cell.size() != 1 || cell < "1" || cell > "9" || std::count(cells.begin(), cells.end(), cell)) return {};
    return cells;
}

void generate(unsigned long long seed) {
    std::vector<int> cells(9);
    std::iota(cells.begin(), cells.end(), 1);
    std::mt19937_64 draw(seed);
    for (int i = 0, n = 1 + draw() % 3; i < n; i++) {
        std::swap(cells[i], cells[i + draw() % (9 - i)]);
        std::cout << (i ? " " : "") << cells[i];
    }
    std::cout << "\n";
}

int main(int argc, char** argv) {
    if (argc == 3) return generate(std::stoull(argv[2])), 0;
    umpire::begin();
    Texts given = opening();
    if (given.empty() || given.size() > 3) umpire::refuse(1, "expected one line of one to three different cells, such as 5 1");
    Text board(9, '.');
    for (size_t turn = 0; turn < 9; turn++) {
        int seat = turn % 2 + 1;
        char mark = "XO"[turn % 2];
        if (turn < given.size()) {
            board[given[turn][0] - '1'] = mark;
            continue;
        }
        position(board);
        Texts free;
        for (int i = 0; i < 9; i++)
            if (board[i] == '.') free.push_back(std::to_string(i + 1));
        umpire::say(seat, board);
        board[std::stoi(umpire::ask(seat, free)) - 1] = mark;
        if (wins(board, mark)) position(board), umpire::end(seat == 1 ? "1 0" : "0 1");
    }
    position(board);
    umpire::end("0.5 0.5");
}
