// A starter for Patolli: a plain, correct solution. Make answer() your own.
// The protocol (in full: umpire games patolli):
//   read   lines to the end of the input: 3 markers of the opponent, 3 of the player, r, r rolls
//   write  for each line where the player's markers stand in the end, in order, or GAME OVER
//   end    with exit status 0
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>
using namespace std;

const set<int> corners = {7, 12, 17, 22, 27, 35, 40, 45, 50};
const set<int> squares = {9, 16, 25, 36, 49};
const set<int> primes = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47};

// Up to six locations on, or back, but not past 51 and not onto an occupied one.
int walk(int start, int step, const set<int> &occupied) {
    int here = start;
    for (int i = 0; i < 6 && !occupied.count(here + step); i++) {
        if (here + step == 52) return start;
        here += step;
    }
    return here;
}

// The location to which a roll takes a marker.
int target(int start, int roll, const set<int> &occupied) {
    int end = start + roll;
    if (end > 52 || occupied.count(end)) return start;
    if (end == 52) return end;
    if (primes.count(end)) return walk(end, 1, occupied);
    if (squares.count(end)) return walk(end, -1, occupied);
    auto corner = corners.upper_bound(start);  // the next one
    if (corner != corners.end() && *corner < end) {
        int multiple = end - end % roll;
        return occupied.count(multiple) ? start : multiple;
    }
    return end;
}

// YOUR SOLUTION: where the player's markers stand after the rolls.
set<int> answer(const set<int> &opponent, set<int> player, const vector<int> &rolls) {
    for (int roll : rolls) {
        if (player.empty()) break;
        int start = *player.begin();  // the lowest
        player.erase(start);
        set<int> occupied = opponent;
        occupied.insert(player.begin(), player.end());
        int end = target(start, roll, occupied);
        if (end < 52) player.insert(end);  // 52 leaves the grid
    }
    return player;
}

int main() {
    int count = 0;
    for (string line; getline(cin, line);) {
        istringstream in(line);
        vector<int> numbers;
        for (int number; in >> number;) numbers.push_back(number);
        if (numbers.empty()) continue;
        auto first = numbers.begin();
        string text;
        for (int marker : answer({first, first + 3}, {first + 3, first + 6}, {first + 7, numbers.end()}))
            text += (text.empty() ? "" : " ") + to_string(marker);
        cout << (text.empty() ? "GAME OVER" : text) << '\n';  // faster than endl
        count++;
    }
    // Debug output goes to standard error; standard output is for the answers alone.
    cerr << "answered " << count << " lines\n";
}
