// A starter for mensch-4: a plain, correct solution. Make Answer() your own.
// The protocol (in full: umpire games mensch-4):
//   read   a line with A, B and m, a line with q, up to 1000, and q requests, one a line
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
    const string Colours = "RBGY";
    static int turn; // index in Colours of the colour to move

    // The step of each piece: -1 in its corner, 0 to 39 on the track, 40 to 43 final.
    static readonly int[][] steps = Colours.Select(_ => new[] { -1, -1, -1, -1 }).ToArray();

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
            if (unused.Count > 0) turn = (turn + 1) % 4;
            unused.Clear();
            return null;
        }
        int piece = request[1][1] - '1';
        int[] mine = steps[turn];
        if (request[1][0] != Colours[turn]) return "it is not your turn";
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
        int there = Cell(turn, step);
        for (int colour = 0; colour < 4; colour++)
            for (int other = 0; other < 4; other++)
                if (Cell(colour, steps[colour][other]) == there) // the piece there goes back
                    steps[colour][other] = -1;
        steps[turn][piece] = step;
        if (unused.Count == 0) turn = (turn + 1) % 4;
        return there.ToString();
    }

    // The cell of a step on a colour's path.
    static int Cell(int colour, int step)
    {
        if (step < 0) return 0;
        return step < 40 ? (10 * colour + step) % 40 + 1 : 5 + 8 * colour + step;
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
