// A starter for mensch-3: a plain, correct solution. Make Answer() your own.
// The protocol (in full: umpire games mensch-3):
//   read   a line with A, B and m, a line with q, up to 100000, and q requests, one a line
//   write  the answers, one a line; giveup has none
//   end    with exit status 0
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

class Starter
{
    static int a, b, m, x; // the die
    static readonly List<int> unused = new List<int>(); // numbers of the last roll
    static readonly int[] steps = { -1, -1, -1, -1 }; // of R1 to R4: -1 in the corner, 0 to 39 track, 40 to 43 final

    // YOUR SOLUTION: the answer to a request, given as words; null where there is none.
    static string Answer(string[] request)
    {
        if (request[0] == "dice")
        {
            if (unused.Count > 0) return "invalid dice rolling";
            do unused.Add(Roll());
            while (unused.Last() == 6);
            return string.Join(" ", unused);
        }
        if (request[0] == "giveup")
        {
            unused.Clear();
            return null;
        }
        int piece = request[1][1] - '1';
        int[] mine = steps;
        if (request[0] == "enter")
        {
            if (mine[piece] >= 0) return "that is in";
            if (!unused.Contains(6)) return "you need six";
            if (mine.Contains(0)) return "busy starting cell";
            return Go(piece, 6, 0);
        }
        int number = int.Parse(request[2]), step = mine[piece] + number;
        if (!unused.Contains(number)) return "invalid move";
        if (mine[piece] < 0) return "it is not in";
        if (step > 43) return "you can not move";
        if (mine.Contains(step)) return "destination is busy";
        return Go(piece, number, step);
    }

    // Uses a number to take a piece to a step, and returns its cell.
    static string Go(int piece, int number, int step)
    {
        unused.Remove(number);
        steps[piece] = step;
        return (step < 40 ? step + 1 : step + 5).ToString();
    }

    // The next number of the die.
    static int Roll()
    {
        int number = x % 6 + 1;
        x = (a * x + b) % m;
        return number;
    }

    static void Main()
    {
        int[] dice = Console.ReadLine().Trim().Split(' ').Select(int.Parse).ToArray();
        a = dice[0];
        b = dice[1];
        m = dice[2];
        x = b;
        int q = int.Parse(Console.ReadLine());
        StringBuilder answers = new StringBuilder(); // one write is faster than q
        for (int i = 0; i < q; i++)
        {
            string reply = Answer(Console.ReadLine().Trim().Split(' '));
            if (reply != null) answers.Append(reply).Append('\n');
        }
        // Debug output goes to standard error; standard output is for the answers alone.
        Console.Error.WriteLine("answered " + q + " requests");
        Console.Write(answers);
    }
}
