// A starter for Patolli: a plain, correct solution. Make Answer() your own.
// The protocol (in full: umpire games patolli):
//   read   lines to the end of the input: 3 markers of the opponent, 3 of the player, r, r rolls
//   write  for each line where the player's markers stand in the end, in order, or GAME OVER
//   end    with exit status 0
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

class Starter
{
    static readonly int[] corners = { 7, 12, 17, 22, 27, 35, 40, 45, 50 };
    static readonly int[] squares = { 9, 16, 25, 36, 49 };
    static readonly int[] primes = { 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47 };

    // YOUR SOLUTION: where the player's markers stand after the rolls, in order.
    static IEnumerable<int> Answer(List<int> opponent, List<int> player, List<int> rolls)
    {
        foreach (int roll in rolls)
        {
            if (player.Count == 0) break;
            int start = player.Min();
            player.Remove(start);
            int end = Target(start, roll, opponent.Concat(player).ToList());
            if (end < 52) player.Add(end); // 52 leaves the grid
        }
        return player.OrderBy(marker => marker);
    }

    // The location to which a roll takes a marker.
    static int Target(int start, int roll, List<int> occupied)
    {
        int end = start + roll;
        if (end > 52 || occupied.Contains(end)) return start;
        if (end == 52) return end;
        if (primes.Contains(end)) return Walk(end, 1, occupied);
        if (squares.Contains(end)) return Walk(end, -1, occupied);
        if (corners.Any(corner => start < corner && corner < end))
        {
            int multiple = end - end % roll;
            return occupied.Contains(multiple) ? start : multiple;
        }
        return end;
    }

    // Up to six locations on, or back, but not past 51 and not onto an occupied one.
    static int Walk(int start, int step, List<int> occupied)
    {
        int here = start;
        for (int i = 0; i < 6 && !occupied.Contains(here + step); i++)
        {
            if (here + step == 52) return start;
            here += step;
        }
        return here;
    }

    static void Main()
    {
        StringBuilder answers = new StringBuilder(); // one write is faster than many
        int count = 0;
        for (string line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            if (line.Trim() == "") continue;
            List<int> numbers = line.Trim().Split(' ').Select(int.Parse).ToList();
            List<int> opponent = numbers.GetRange(0, 3), player = numbers.GetRange(3, 3);
            string left = string.Join(" ", Answer(opponent, player, numbers.Skip(7).ToList()));
            answers.Append(left == "" ? "GAME OVER" : left).Append('\n');
            count++;
        }
        // Debug output goes to standard error; standard output is for the answers alone.
        Console.Error.WriteLine("answered " + count + " lines");
        Console.Write(answers);
    }
}
