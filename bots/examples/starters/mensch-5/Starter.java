// A starter for mensch-5: a plain, correct solution. Make answer() your own.
// The protocol (in full: umpire games mensch-5):
//   read   a line with A, B and m, a line with q, up to 1000, and q requests, one a line
//   write  for each request its answer (giveup has none), and the board in 11 lines
//   end    with exit status 0
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class Starter {
    static int a, b, m, x; // the die
    static final List<Integer> unused = new ArrayList<>(); // numbers of the last roll
    static final String COLOURS = "RBGY";
    static int turn; // index in COLOURS of the colour to move

    /** The step of each piece: -1 to -4 in its corner cells, 0 to 39 on the track, 40 to 43 final. */
    static final int[][] steps = {{-1, -2, -3, -4}, {-1, -2, -3, -4}, {-1, -2, -3, -4}, {-1, -2, -3, -4}};

    static final String[] BOARD = {
        "41 42 .. .. 09 10 11 .. .. 49 50",
        "43 44 .. .. 08 53 12 .. .. 51 52",
        ".. .. .. .. 07 54 13 .. .. .. ..",
        ".. .. .. .. 06 55 14 .. .. .. ..",
        "01 02 03 04 05 56 15 16 17 18 19",
        "40 45 46 47 48 .. 64 63 62 61 20",
        "39 38 37 36 35 72 25 24 23 22 21",
        ".. .. .. .. 34 71 26 .. .. .. ..",
        ".. .. .. .. 33 70 27 .. .. .. ..",
        "65 66 .. .. 32 69 28 .. .. 57 58",
        "67 68 .. .. 31 30 29 .. .. 59 60",
    };

    /** YOUR SOLUTION: the answer to a request, given as words; null where there is none. */
    static String answer(String[] request) {
        if (request[0].equals("dice")) {
            if (!unused.isEmpty()) return "invalid dice rolling";
            StringBuilder all = new StringBuilder();
            int number;
            do {
                number = roll();
                unused.add(number);
                all.append(all.length() > 0 ? " " : "").append(number);
            } while (number == 6);
            return all.toString();
        }
        if (request[0].equals("giveup")) {
            if (!unused.isEmpty()) turn = (turn + 1) % 4;
            unused.clear();
            return null;
        }
        int piece = request[1].charAt(1) - '1';
        int[] mine = steps[turn];
        if (request[1].charAt(0) != COLOURS.charAt(turn)) return "it is not your turn";
        if (request[0].equals("enter")) {
            if (mine[piece] >= 0) return "that is in";
            if (!unused.contains(6)) return "you need six";
            if (has(mine, 0)) return "busy starting cell";
            return go(piece, 6, 0);
        }
        int number = Integer.parseInt(request[2]), step = mine[piece] + number;
        if (!unused.contains(number)) return "invalid move";
        if (mine[piece] < 0) return "it is not in";
        if (step > 43) return "you can not move";
        if (has(mine, step)) return "destination is busy";
        return go(piece, number, step);
    }

    /** Uses a number to take a piece to a step, and returns its cell. */
    static String go(int piece, int number, int step) {
        unused.remove(Integer.valueOf(number));
        int there = cell(turn, step);
        for (int colour = 0; colour < 4; colour++)
            for (int other = 0; other < 4; other++)
                if (cell(colour, steps[colour][other]) == there) { // the piece there goes back
                    int corner = -1;
                    while (has(steps[colour], corner)) corner--;
                    steps[colour][other] = corner;
                }
        steps[turn][piece] = step;
        if (unused.isEmpty()) turn = (turn + 1) % 4;
        return String.valueOf(there);
    }

    /** The cell of a step on a colour's path. */
    static int cell(int colour, int step) {
        if (step < 0) return 40 + 8 * colour - step;
        return step < 40 ? (10 * colour + step) % 40 + 1 : 5 + 8 * colour + step;
    }

    /** The picture of the board. */
    static String board() {
        Map<Integer, String> pieces = new HashMap<>();
        for (int colour = 0; colour < 4; colour++)
            for (int i = 0; i < 4; i++)
                pieces.put(cell(colour, steps[colour][i]), COLOURS.charAt(colour) + "" + (i + 1));
        StringBuilder picture = new StringBuilder();
        for (String line : BOARD) {
            String[] words = line.split(" ");
            for (int i = 0; i < 11; i++) {
                if (words[i].equals("..")) continue;
                int here = Integer.parseInt(words[i]);
                words[i] = pieces.getOrDefault(here, here <= 40 ? "oo" : "xx");
            }
            picture.append(String.join(".", words)).append('\n');
        }
        return picture.toString();
    }

    /** The next number of the die. */
    static int roll() {
        int number = x % 6 + 1;
        x = (a * x + b) % m;
        return number;
    }

    static boolean has(int[] list, int number) {
        for (int one : list)
            if (one == number) return true;
        return false;
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        String[] dice = in.readLine().trim().split(" +");
        a = Integer.parseInt(dice[0]);
        b = Integer.parseInt(dice[1]);
        m = Integer.parseInt(dice[2]);
        x = b;
        int q = Integer.parseInt(in.readLine().trim());
        StringBuilder out = new StringBuilder(); // one write is faster than q
        for (int i = 0; i < q; i++) {
            String reply = answer(in.readLine().trim().split(" +"));
            if (reply != null) out.append(reply).append('\n');
            out.append(board());
        }
        // Debug output goes to standard error; standard output is for the answers alone.
        System.err.println("answered " + q + " requests");
        System.out.print(out);
    }
}
