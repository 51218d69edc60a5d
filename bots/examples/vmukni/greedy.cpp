// A greedy player of vmukni: the way with the most points now, the lowest of equal ones.
#include <algorithm>
#include <iostream>
#include <vector>

struct Board {
    int cell[5][5];

    // The i-th cell on the way in.
    int &at(int way, int i) {
        if (way <= 5) return cell[way - 1][i];
        if (way <= 10) return cell[i][way - 6];
        return cell[way - 11][4 - i];
    }

    void fall() {
        for (int column = 0; column < 5; column++) {
            int to = 4;
            for (int row = 4; row >= 0; row--)
                if (cell[row][column]) std::swap(cell[to--][column], cell[row][column]);
        }
    }

    // Removes the group that goes first and returns its length, or 0.
    int removeGroup() {
        int length = 0, row = 0, column = 0, down = 0;
        for (int kind = 0; kind < 2; kind++)  // rows, then columns
            for (int r = 0; r < 5; r++)
                for (int c = 0; c < 5; c++) {
                    int n = 1;
                    while (cell[r][c] && r + n * kind < 5 && c + n * !kind < 5 &&
                           cell[r + n * kind][c + n * !kind] == cell[r][c])
                        n++;
                    // Equal ones are met in the order in which they go.
                    if (n >= 3 && n > length) length = n, row = r, column = c, down = kind;
                }
        for (int i = 0; i < length; i++) cell[row + i * down][column + i * !down] = 0;
        return length;
    }

    int play(int way, int tile) {
        for (int i = 0; i < 5 && tile; i++) std::swap(at(way, i), tile);
        int points = 0;
        for (int ordinal = 1;; ordinal++) {
            fall();
            int length = removeGroup();
            if (length == 0) return points;
            points += 10 * (length - 2) * ordinal;
        }
    }
};

int main() {
    int n, k, p, seat;
    std::cin >> n >> k >> p >> seat;
    Board board;
    for (auto &row : board.cell)
        for (int &tile : row) std::cin >> tile;
    std::vector<int> queue(k);
    for (int &tile : queue) std::cin >> tile;
    for (int move = 0; move < n; move++) {
        if (move % 2 == seat - 1) {
            int best = 1, most = -1;
            for (int way = 1; way <= 15; way++) {
                Board next = board;
                int points = next.play(way, queue[move]);
                if (points > most) most = points, best = way;
            }
            std::cout << best << std::endl;  // endl flushes
        }
        int way, turnedUp;
        if (!(std::cin >> way >> turnedUp)) return 0;
        board.play(way, queue[move]);
        if (turnedUp) queue.push_back(turnedUp);
    }
}
