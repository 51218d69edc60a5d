// A starter for mensch-2: a plain, correct solution. Make solve() your own.
// The protocol (in full: umpire games mensch-2):
//   read   a line with A, B and m, and a line with n, up to 100000
//   write  n lines, the k-th number on line k
//   end    with exit status 0
import java.util.Scanner;

public class Starter {
    /** YOUR SOLUTION: the first n numbers of the die. */
    static int[] solve(int a, int b, int m, int n) {
        int[] numbers = new int[n];
        int x = b;
        for (int k = 0; k < n; k++) {
            numbers[k] = x % 6 + 1;
            x = (a * x + b) % m;
        }
        return numbers;
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int a = in.nextInt(), b = in.nextInt(), m = in.nextInt(), n = in.nextInt();
        // Debug output goes to standard error; standard output is for the answer alone.
        System.err.println("A " + a + " B " + b + " m " + m + " n " + n);
        StringBuilder out = new StringBuilder(); // one write is faster than n
        for (int number : solve(a, b, m, n)) out.append(number).append('\n');
        System.out.print(out);
    }
}
