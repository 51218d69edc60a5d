// A starter for mensch-1: a plain, correct solution. Make Solve() your own.
// The protocol (in full: umpire games mensch-1):
//   read   one integer, 1 to 6
//   write  the face of the die that shows it: 5 lines of 5 characters
//   end    with exit status 0
using System;

class Starter
{
    static readonly string[] faces =
    {
        "...../...../..o../...../.....",
        "...../...o./...../.o.../.....",
        "...../...o./..o../.o.../.....",
        "...../.o.o./...../.o.o./.....",
        "...../.o.o./..o../.o.o./.....",
        "...../.o.o./.o.o./.o.o./.....",
    };

    // YOUR SOLUTION: the five lines of face d.
    static string[] Solve(int d)
    {
        return faces[d - 1].Split('/');
    }

    static void Main()
    {
        int d = int.Parse(Console.ReadLine());
        // Debug output goes to standard error; standard output is for the answer alone.
        Console.Error.WriteLine("face " + d);
        foreach (string line in Solve(d)) Console.WriteLine(line);
    }
}
