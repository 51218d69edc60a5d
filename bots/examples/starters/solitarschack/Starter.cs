// A starter for Solitärschack: it plays by the rules and leaves the thinking to you.
// Change Choose(); the rest is the protocol (in full: umpire games solitarschack):
//   read   six rows of six pieces: 1 2 3 4 torn lopare dam springare
//   write  the row and column, 1 to 6, of the piece you remove; `0 0` ends the match
//   read   after each removal the piece that appears there, or `blank`
using System;

class Starter
{
    static readonly string[][] board = new string[6][];
    static string last; // the piece just removed
    static int row = -1, column = -1; // and its square; -1 at the start, when all are free to take

    // YOUR STRATEGY: the next row and column, 0 to 5; null ends. Here: the first that can be reached.
    static int[] Choose()
    {
        for (int r = 0; r < 6; r++)
            for (int c = 0; c < 6; c++)
                if (board[r][c] != "blank" && Reaches(r, c)) return new[] { r, c };
        return null;
    }

    // Reports whether the piece just removed leads to a square.
    static bool Reaches(int toRow, int toColumn)
    {
        if (row < 0) return true;
        int down = Math.Abs(toRow - row), right = Math.Abs(toColumn - column);
        bool edgeRow = toRow % 5 == 0, edgeColumn = toColumn % 5 == 0;
        if (down == 0 && right == 0) return false;
        bool straight = down == 0 || right == 0, diagonal = down == right;
        bool torn = (right == 0 && edgeRow) || (down == 0 && edgeColumn);
        bool lopare = diagonal && (edgeRow || edgeColumn);
        switch (last)
        {
            case "springare": return down * right == 2;
            case "torn": return torn;
            case "lopare": return lopare;
            case "dam": return torn || lopare;
            default: return Math.Max(down, right) == int.Parse(last) && (straight || diagonal);
        }
    }

    // Reads a line of pieces.
    static string[] Read()
    {
        string line = Console.ReadLine();
        if (line == null) Environment.Exit(1);
        return line.Trim().Split(' ');
    }

    static void Main()
    {
        for (int r = 0; r < 6; r++) board[r] = Read();
        for (int[] next = Choose(); next != null; next = Choose())
        {
            row = next[0];
            column = next[1];
            last = board[row][column];
            // Debug output goes to standard error; standard output is for moves alone.
            Console.Error.WriteLine("remove " + last + " at " + (row + 1) + " " + (column + 1));
            Console.WriteLine((row + 1) + " " + (column + 1));
            Console.Out.Flush(); // else the line may wait in a buffer, and umpire for it
            board[row][column] = Read()[0];
        }
        Console.WriteLine("0 0");
    }
}
