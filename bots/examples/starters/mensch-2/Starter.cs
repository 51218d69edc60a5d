// A starter for mensch-2: a plain, correct solution. Make Solve() your own.
// The protocol (in full: umpire games mensch-2):
//   read   a line with A, B and m, and a line with n, up to 100000
//   write  n lines, the k-th number on line k
//   end    with exit status 0
using System;
using System.Linq;
using System.Text;

class Starter
{
    // YOUR SOLUTION: the first n numbers of the die.
    static int[] Solve(int a, int b, int m, int n)
    {
        int[] numbers = new int[n];
        int x = b;
        for (int k = 0; k < n; k++)
        {
            numbers[k] = x % 6 + 1;
            x = (a * x + b) % m;
        }
        return numbers;
    }

    static void Main()
    {
        int[] dice = Console.ReadLine().Trim().Split(' ').Select(int.Parse).ToArray();
        int a = dice[0], b = dice[1], m = dice[2], n = int.Parse(Console.ReadLine());
        // Debug output goes to standard error; standard output is for the answer alone.
        Console.Error.WriteLine("A " + a + " B " + b + " m " + m + " n " + n);
        StringBuilder answer = new StringBuilder(); // one write is faster than n
        foreach (int number in Solve(a, b, m, n)) answer.Append(number).Append('\n');
        Console.Write(answer);
    }
}
