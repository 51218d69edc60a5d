// A starter for Patolli: a plain, correct solution. Make answer() your own.
// The protocol (in full: umpire games patolli):
//   read   lines to the end of the input: 3 markers of the opponent, 3 of the player, r, r rolls
//   write  for each line where the player's markers stand in the end, in order, or GAME OVER
//   end    with exit status 0
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Set;
import java.util.TreeSet;

public class Starter {
    static final Set<Integer> CORNERS = Set.of(7, 12, 17, 22, 27, 35, 40, 45, 50);
    static final Set<Integer> SQUARES = Set.of(9, 16, 25, 36, 49);
    static final Set<Integer> PRIMES = Set.of(2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47);

    /** YOUR SOLUTION: moves the player's markers, in order, by all rolls of a line's numbers. */
    static void answer(Set<Integer> opponent, TreeSet<Integer> player, int[] numbers) {
        for (int i = 7; i < numbers.length && !player.isEmpty(); i++) {
            int start = player.pollFirst(); // the lowest, taken out
            Set<Integer> occupied = new TreeSet<>(opponent);
            occupied.addAll(player);
            int end = target(start, numbers[i], occupied);
            if (end < 52) player.add(end); // 52 leaves the grid
        }
    }

    /** The location to which a roll takes a marker. */
    static int target(int start, int roll, Set<Integer> occupied) {
        int end = start + roll;
        if (end > 52 || occupied.contains(end)) return start;
        if (end == 52) return end;
        if (PRIMES.contains(end)) return walk(end, 1, occupied);
        if (SQUARES.contains(end)) return walk(end, -1, occupied);
        for (int corner : CORNERS) {
            if (start < corner && corner < end) {
                int multiple = end - end % roll;
                return occupied.contains(multiple) ? start : multiple;
            }
        }
        return end;
    }

    /** Up to six locations on, or back, but not past 51 and not onto an occupied one. */
    static int walk(int start, int step, Set<Integer> occupied) {
        int here = start;
        for (int i = 0; i < 6 && !occupied.contains(here + step); i++) {
            if (here + step == 52) return start;
            here += step;
        }
        return here;
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder out = new StringBuilder(); // one write is faster than many
        int count = 0;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.trim().isEmpty()) continue;
            String[] words = line.trim().split(" +");
            int[] numbers = new int[words.length];
            for (int i = 0; i < words.length; i++) numbers[i] = Integer.parseInt(words[i]);
            TreeSet<Integer> player = new TreeSet<>(Set.of(numbers[3], numbers[4], numbers[5]));
            answer(Set.of(numbers[0], numbers[1], numbers[2]), player, numbers);
            String separator = "";
            for (int marker : player) {
                out.append(separator).append(marker);
                separator = " ";
            }
            out.append(player.isEmpty() ? "GAME OVER\n" : "\n");
            count++;
        }
        // Debug output goes to standard error; standard output is for the answers alone.
        System.err.println("answered " + count + " lines");
        System.out.print(out);
    }
}
