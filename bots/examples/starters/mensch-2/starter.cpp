// A starter for mensch-2: a plain, correct solution. Make solve() your own.
// The protocol (in full: umpire games mensch-2):
//   read   a line with A, B and m, and a line with n, up to 100000
//   write  n lines, the k-th number on line k
//   end    with exit status 0
#include <iostream>
#include <vector>
using namespace std;

// YOUR SOLUTION: the first n numbers of the die.
vector<int> solve(int a, int b, int m, int n) {
    vector<int> numbers;
    for (int x = b; n > 0; n--) {
        numbers.push_back(x % 6 + 1);
        x = (a * x + b) % m;
    }
    return numbers;
}

int main() {
    int a, b, m, n;
    cin >> a >> b >> m >> n;
    // Debug output goes to standard error; standard output is for the answer alone.
    cerr << "A " << a << " B " << b << " m " << m << " n " << n << '\n';
    for (int number : solve(a, b, m, n)) cout << number << '\n';  // faster than endl
}
