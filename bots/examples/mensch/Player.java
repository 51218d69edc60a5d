import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Plays a match of Mensch: captures, else enters, else moves its last piece on. */
public class Player {
    static final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    static final Map<String, Integer> where = new HashMap<>(); // piece -> cell, 0 in its corner
    static String me;
    static int[] path; // the cells my pieces go through

    public static void main(String[] args) throws IOException {
        String[] hello = read();
        me = hello[0];
        for (String colour : hello[1].split("")) {
            for (int i = 1; i <= 4; i++) {
                where.put(colour + i, 0);
            }
        }
        int k = "RBGY".indexOf(me);
        path = new int[44];
        for (int i = 0; i < 44; i++) {
            path[i] = i < 40 ? (10 * k + i) % 40 + 1 : 45 + 8 * k + i - 40;
        }
        while (true) {
            String[] words = read();
            if (words[0].equals("end")) {
                return;
            }
            if (words[0].equals("turn")) {
                turn();
            } else if (words[1].equals("enter") || words[1].equals("move")) {
                put(words[2], Integer.parseInt(words[words.length - 1]));
            }
        }
    }

    static String[] read() throws IOException {
        String line = in.readLine();
        if (line == null) {
            System.exit(0);
        }
        return line.trim().split(" +");
    }

    static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    static void put(String piece, int cell) {
        where.replaceAll((other, at) -> at == cell ? 0 : at);
        where.put(piece, cell);
    }

    static void turn() throws IOException {
        say("dice");
        List<Integer> unused = new ArrayList<>();
        for (String number : read()) {
            unused.add(Integer.parseInt(number));
        }
        while (!unused.isEmpty() && !home()) {
            String piece = null;
            int number = 0;
            int best = -1;
            for (int i = 1; i <= 4; i++) {
                for (int n : unused) {
                    int value = value(me + i, n);
                    if (value > best) {
                        best = value;
                        piece = me + i;
                        number = n;
                    }
                }
            }
            if (piece == null) {
                say("giveup");
                return;
            }
            say(where.get(piece) == 0 ? "enter " + piece : "move " + piece + " " + number);
            put(piece, Integer.parseInt(read()[0]));
            unused.remove(Integer.valueOf(number));
        }
    }

    static boolean home() {
        for (int i = 1; i <= 4; i++) {
            if (step(me + i) < 40) {
                return false;
            }
        }
        return true;
    }

    /** How far a piece has come on my path, -1 in its corner. */
    static int step(String piece) {
        for (int i = 0; i < path.length; i++) {
            if (path[i] == where.get(piece)) {
                return i;
            }
        }
        return -1;
    }

    /** How good it is to use a number for a piece of mine, -1 if it can't be. */
    static int value(String piece, int number) {
        int from = step(piece);
        if (from < 0 && number != 6) {
            return -1;
        }
        int to = from < 0 ? 0 : from + number;
        if (to >= path.length) {
            return -1;
        }
        for (Map.Entry<String, Integer> other : where.entrySet()) {
            if (other.getValue() == path[to]) {
                return other.getKey().startsWith(me) ? -1 : 200 + to;
            }
        }
        return from < 0 ? 100 : 50 - from;
    }
}
