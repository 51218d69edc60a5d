// A starter for mensch: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games mensch):
//   read   your colour and all that play (B RBGY), then what others do (R move R2 1 2),
//          `turn` when it is your turn, and `end`
//   write  in your turn a request (dice, enter B1, move B1 4), read its answer, and so
//          on until all numbers are used, or end it by giveup, which has no answer
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

public class Starter {
    /** The step of a piece that is not in play; 0 to 39 is the track, 40 to 43 home. */
    static final int CORNER = -1;

    static final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    static final int[] steps = {CORNER, CORNER, CORNER, CORNER}; // of my pieces
    static String me; // my colour

    /** YOUR STRATEGY: {piece from 0, number}, or null to give up. Here: the first that is possible. */
    static int[] choose(List<Integer> unused) {
        for (int number : unused)
            for (int piece = 0; piece < 4; piece++)
                if (target(piece, number) >= 0) return new int[] {piece, number};
        return null;
    }

    /** The step to which a number takes a piece of mine, -1 if it can't be used for it. */
    static int target(int piece, int number) {
        int step = steps[piece] + number;
        if (steps[piece] == CORNER) step = number == 6 ? 0 : -1;
        for (int other : steps)
            if (other == step) return -1;
        return step > 43 ? -1 : step;
    }

    /** The cell of a step on my path. */
    static int cell(int step) {
        int k = "RBGY".indexOf(me);
        return step < 40 ? (10 * k + step) % 40 + 1 : 45 + 8 * k + step - 40;
    }

    /** Reads a line as words. The input ends when the match is over. */
    static String[] read() throws IOException {
        String line = in.readLine();
        if (line == null) System.exit(0);
        return line.trim().split(" +");
    }

    static void say(String request) {
        System.out.println(request);
        System.out.flush(); // else the line may wait in a buffer, and umpire for it
    }

    static void takeTurn() throws IOException {
        say("dice");
        List<Integer> unused = new ArrayList<>();
        for (String number : read()) unused.add(Integer.valueOf(number));
        // Debug output goes to standard error; standard output is for requests alone.
        System.err.println("steps " + Arrays.toString(steps) + " dice " + unused);
        while (!unused.isEmpty() && Arrays.stream(steps).min().getAsInt() < 40) { // coming home ends the turn
            int[] move = choose(unused);
            if (move == null) {
                say("giveup");
                return;
            }
            int piece = move[0], number = move[1];
            if (steps[piece] == CORNER) {
                say("enter " + me + (piece + 1));
            } else {
                say("move " + me + (piece + 1) + " " + number);
            }
            read(); // the cell, or why the request was refused
            steps[piece] = target(piece, number);
            unused.remove(Integer.valueOf(number));
        }
    }

    public static void main(String[] args) throws IOException {
        me = read()[0];
        while (true) {
            String[] words = read();
            if (words[0].equals("end")) return;
            if (words[0].equals("turn")) {
                takeTurn();
            } else if (words[1].equals("enter") || words[1].equals("move")) {
                int to = Integer.parseInt(words[words.length - 1]);
                for (int i = 0; i < 4; i++) // another piece landed on mine: it goes back
                    if (steps[i] != CORNER && cell(steps[i]) == to) steps[i] = CORNER;
            }
        }
    }
}
