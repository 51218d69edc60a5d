// A starter for vmukni: it plays by the rules and leaves the thinking to you.
// Change Choose(); the rest is the protocol (in full: umpire games vmukni):
//   read   N K P S (you are seat S of 1 and 2), five rows of tiles, the first K of N queue tiles
//   write  in your moves, every second one, the way in: 1 to 15
//   read   after every move, yours too, the way it took and the tile turned up, 0 if none
using System;
using System.Collections.Generic;
using System.Linq;

class Starter
{
    // YOUR STRATEGY: the way in for tile queue[move], 1 to 15. Here: each in turn.
    static int Choose(int[][] board, List<int> queue, int move)
    {
        return 1 + move % 15;
    }

    // Reads a line of numbers. The input ends when the match is over.
    static int[] Read()
    {
        string line = Console.ReadLine();
        if (line == null) Environment.Exit(0);
        return line.Trim().Split(' ').Select(int.Parse).ToArray();
    }

    static void Main()
    {
        int[] first = Read(); // N K P S
        int n = first[0], seat = first[3];
        int[][] board = new int[5][];
        for (int row = 0; row < 5; row++) board[row] = Read();
        List<int> queue = Read().ToList();
        for (int move = 0; move < n; move++)
        {
            if (move % 2 == seat - 1)
            {
                int way = Choose(board, queue, move);
                // Debug output goes to standard error; standard output is for moves alone.
                Console.Error.WriteLine("move " + move + " tile " + queue[move] + " way " + way);
                Console.WriteLine(way);
                Console.Out.Flush(); // else the line may wait in a buffer, and umpire for it
            }
            int[] news = Read(); // the way it took, the tile turned up
            // A strategy that looks at the board plays queue[move] by way news[0] on it here.
            if (news[1] != 0) queue.Add(news[1]);
        }
    }
}
