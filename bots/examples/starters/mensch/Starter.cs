// A starter for mensch: it plays by the rules and leaves the thinking to you.
// Change Choose(); the rest is the protocol (in full: umpire games mensch):
//   read   your colour and all that play (B RBGY), then what others do (R move R2 1 2),
//          `turn` when it is your turn, and `end`
//   write  in your turn a request (dice, enter B1, move B1 4), read its answer, and so
//          on until all numbers are used, or end it by giveup, which has no answer
using System;
using System.Collections.Generic;
using System.Linq;

class Starter
{
    const int Corner = -1; // the step of a piece not in play; 0 to 39 is the track, 40 to 43 home

    static readonly int[] steps = { Corner, Corner, Corner, Corner }; // of my pieces
    static string me; // my colour

    // YOUR STRATEGY: {piece from 0, number}, or null to give up. Here: the first that is possible.
    static int[] Choose(List<int> unused)
    {
        foreach (int number in unused)
            for (int piece = 0; piece < 4; piece++)
                if (Target(piece, number) >= 0) return new[] { piece, number };
        return null;
    }

    // The step to which a number takes a piece of mine, -1 if it can't be used for it.
    static int Target(int piece, int number)
    {
        int step = steps[piece] + number;
        if (steps[piece] == Corner) step = number == 6 ? 0 : -1;
        return step > 43 || steps.Contains(step) ? -1 : step;
    }

    // The cell of a step on my path.
    static int Cell(int step)
    {
        int k = "RBGY".IndexOf(me);
        return step < 40 ? (10 * k + step) % 40 + 1 : 45 + 8 * k + step - 40;
    }

    // Reads a line as words. The input ends when the match is over.
    static string[] Read()
    {
        string line = Console.ReadLine();
        if (line == null) Environment.Exit(0);
        return line.Trim().Split(' ');
    }

    static void Say(string request)
    {
        Console.WriteLine(request);
        Console.Out.Flush(); // else the line may wait in a buffer, and umpire for it
    }

    static void TakeTurn()
    {
        Say("dice");
        List<int> unused = Read().Select(int.Parse).ToList();
        // Debug output goes to standard error; standard output is for requests alone.
        Console.Error.WriteLine("steps " + string.Join(" ", steps) + " dice " + string.Join(" ", unused));
        while (unused.Count > 0 && steps.Min() < 40) // coming home ends the turn
        {
            int[] move = Choose(unused);
            if (move == null)
            {
                Say("giveup");
                return;
            }
            int piece = move[0], number = move[1];
            if (steps[piece] == Corner) Say("enter " + me + (piece + 1));
            else Say("move " + me + (piece + 1) + " " + number);
            Read(); // the cell, or why the request was refused
            steps[piece] = Target(piece, number);
            unused.Remove(number);
        }
    }

    static void Main()
    {
        me = Read()[0];
        while (true)
        {
            string[] words = Read();
            if (words[0] == "end") return;
            if (words[0] == "turn")
            {
                TakeTurn();
            }
            else if (words[1] == "enter" || words[1] == "move")
            {
                int to = int.Parse(words.Last());
                for (int i = 0; i < 4; i++) // another piece landed on mine: it goes back
                    if (steps[i] != Corner && Cell(steps[i]) == to) steps[i] = Corner;
            }
        }
    }
}
