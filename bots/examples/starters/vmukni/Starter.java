// A starter for vmukni: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games vmukni):
//   read   N K P S (you are seat S of 1 and 2), five rows of tiles, the first K of N queue tiles
//   write  in your moves, every second one, the way in: 1 to 15
//   read   after every move, yours too, the way it took and the tile turned up, 0 if none
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

public class Starter {
    static final int[][] board = new int[5][5];
    static final List<Integer> queue = new ArrayList<>(); // the tiles that have been turned up

    /** YOUR STRATEGY: the way in for tile queue.get(move), 1 to 15. Here: each in turn. */
    static int choose(int move) {
        return 1 + move % 15;
    }

    static final Scanner in = new Scanner(System.in);

    /** Reads a number. The input ends when the match is over. */
    static int readNumber() {
        if (!in.hasNextInt()) System.exit(0);
        return in.nextInt();
    }

    public static void main(String[] args) {
        int n = readNumber(), k = readNumber(), p = readNumber(), seat = readNumber();
        for (int[] row : board)
            for (int column = 0; column < 5; column++) row[column] = readNumber();
        for (int i = 0; i < k; i++) queue.add(readNumber());
        for (int move = 0; move < n; move++) {
            if (move % 2 == seat - 1) {
                int way = choose(move);
                // Debug output goes to standard error; standard output is for moves alone.
                System.err.println("move " + move + " tile " + queue.get(move) + " way " + way);
                System.out.println(way);
                System.out.flush(); // else the line may wait in a buffer, and umpire for it
            }
            int way = readNumber(), turnedUp = readNumber();
            // A strategy that looks at the board plays queue.get(move) by this way on it here.
            if (turnedUp != 0) queue.add(turnedUp);
        }
    }
}
