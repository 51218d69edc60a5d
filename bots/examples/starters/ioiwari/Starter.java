// A starter for Ioiwari: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games ioiwari):
//   read   one line with the beads in the pits 1 to 7; seat 1 then moves first
//   write  on your turn the number of a pit that is not empty, 1 to 7
//   read   on the opponent's turn the number of the pit it played
import java.util.Arrays;
import java.util.Scanner;

public class Starter {
    /** YOUR STRATEGY: the pit to play, 0 to 6. Here: the first that holds a bead. */
    static int choose(int[] pits) {
        int pit = 0;
        while (pits[pit] == 0) pit++;
        return pit;
    }

    /** Plays a pit and returns the beads it brings. To try a move: sow(pits.clone(), pit). */
    static int sow(int[] pits, int pit) {
        int hand = pits[pit], gain = 0;
        pits[pit] = 0;
        while (true) {
            pit = (pit + 1) % 7;
            if (hand == 1) { // the last bead takes a pit of 1 to 4, or is the opponent's
                if (pits[pit] >= 1 && pits[pit] <= 4) {
                    gain += pits[pit] + 1;
                    pits[pit] = 0;
                }
                return gain;
            }
            if (pits[pit] == 5) { // a full pit gives a bead
                pits[pit]--;
                gain++;
            } else {
                pits[pit]++;
                hand--;
            }
        }
    }

    static final Scanner in = new Scanner(System.in);

    /** Reads a number. The input ends when the match is over. */
    static int readNumber() {
        if (!in.hasNextInt()) System.exit(0);
        return in.nextInt();
    }

    public static void main(String[] args) {
        int seat = Integer.parseInt(System.getenv().getOrDefault("UMPIRE_SEAT", "1"));
        int[] pits = new int[7];
        for (int i = 0; i < 7; i++) pits[i] = readNumber();
        for (int turn = 1; Arrays.stream(pits).sum() > 0; turn = 3 - turn) {
            int pit;
            if (turn == seat) {
                pit = choose(pits);
                // Debug output goes to standard error; standard output is for moves alone.
                System.err.println("pits " + Arrays.toString(pits) + " I play " + (pit + 1));
                System.out.println(pit + 1);
                System.out.flush(); // else the line may wait in a buffer, and umpire for it
            } else {
                pit = readNumber() - 1;
            }
            sow(pits, pit);
        }
    }
}
