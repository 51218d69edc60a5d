// A starter for Ioiwari: it plays by the rules and leaves the thinking to you.
// Change Choose(); the rest is the protocol (in full: umpire games ioiwari):
//   read   one line with the beads in the pits 1 to 7; seat 1 then moves first
//   write  on your turn the number of a pit that is not empty, 1 to 7
//   read   on the opponent's turn the number of the pit it played
using System;
using System.Linq;

class Starter
{
    // YOUR STRATEGY: the pit to play, 0 to 6. Here: the first that holds a bead.
    static int Choose(int[] pits)
    {
        int pit = 0;
        while (pits[pit] == 0) pit++;
        return pit;
    }

    // Plays a pit and returns the beads it brings. To try a move, play it on a copy.
    static int Sow(int[] pits, int pit)
    {
        int hand = pits[pit], gain = 0;
        pits[pit] = 0;
        while (true)
        {
            pit = (pit + 1) % 7;
            if (hand == 1) // the last bead takes a pit of 1 to 4, or is the opponent's
            {
                if (pits[pit] >= 1 && pits[pit] <= 4)
                {
                    gain += pits[pit] + 1;
                    pits[pit] = 0;
                }
                return gain;
            }
            if (pits[pit] == 5) // a full pit gives a bead
            {
                pits[pit]--;
                gain++;
            }
            else
            {
                pits[pit]++;
                hand--;
            }
        }
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
        int seat = int.Parse(Environment.GetEnvironmentVariable("UMPIRE_SEAT") ?? "1");
        int[] pits = Read();
        for (int turn = 1; pits.Sum() > 0; turn = 3 - turn)
        {
            int pit;
            if (turn == seat)
            {
                pit = Choose(pits);
                // Debug output goes to standard error; standard output is for moves alone.
                Console.Error.WriteLine("pits " + string.Join(" ", pits) + " I play " + (pit + 1));
                Console.WriteLine(pit + 1);
                Console.Out.Flush(); // else the line may wait in a buffer, and umpire for it
            }
            else
            {
                pit = Read()[0] - 1;
            }
            Sow(pits, pit);
        }
    }
}
