// Ioiwari: plays the pit that brings most now; of equal ones the lowest label.
import java.util.Arrays;
import java.util.Scanner;

public class Greedy {
    /** Plays pit p (from 0) and returns the beads it brings to the mover's bank. */
    static int sow(int[] pits, int p) {
        int hand = pits[p], gain = 0;
        pits[p] = 0;
        while (true) {
            p = (p + 1) % 7;
            if (hand == 1) {
                if (pits[p] >= 1 && pits[p] <= 4) {
                    gain += pits[p] + 1;
                    pits[p] = 0;
                }
                return gain;
            }
            if (pits[p] == 5) {
                pits[p]--;
                gain++;
            } else {
                pits[p]++;
                hand--;
            }
        }
    }

    static int greedy(int[] pits) {
        int best = -1, most = -1;
        for (int p = 0; p < 7; p++) {
            if (pits[p] == 0) continue;
            int gain = sow(pits.clone(), p);
            if (gain > most) {
                best = p;
                most = gain;
            }
        }
        return best;
    }

    public static void main(String[] args) {
        String env = System.getenv("UMPIRE_SEAT");
        int seat = env == null ? 1 : Integer.parseInt(env);
        Scanner in = new Scanner(System.in);
        int[] pits = new int[7];
        for (int i = 0; i < 7; i++) pits[i] = in.nextInt();
        for (int turn = 1; Arrays.stream(pits).sum() > 0; turn = 3 - turn) {
            int p;
            if (turn == seat) {
                p = greedy(pits);
                System.out.println(p + 1);
                System.out.flush();
            } else {
                if (!in.hasNextInt()) return;
                p = in.nextInt() - 1;
            }
            sow(pits, p);
        }
    }
}
