// A starter for mensch-1: a plain, correct solution. Make solve() your own.
// The protocol (in full: umpire games mensch-1):
//   read   one integer, 1 to 6
//   write  the face of the die that shows it: 5 lines of 5 characters
//   end    with exit status 0
#include <iostream>
#include <string>
using namespace std;

const string faces[6] = {
    ".....\n.....\n..o..\n.....\n.....\n",
    ".....\n...o.\n.....\n.o...\n.....\n",
    ".....\n...o.\n..o..\n.o...\n.....\n",
    ".....\n.o.o.\n.....\n.o.o.\n.....\n",
    ".....\n.o.o.\n..o..\n.o.o.\n.....\n",
    ".....\n.o.o.\n.o.o.\n.o.o.\n.....\n",
};

// YOUR SOLUTION: the five lines of face d.
string solve(int d) {
    return faces[d - 1];
}

int main() {
    int d;
    cin >> d;
    // Debug output goes to standard error; standard output is for the answer alone.
    cerr << "face " << d << '\n';
    cout << solve(d);
}
