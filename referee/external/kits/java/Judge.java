// Tic-tac-toe. A case is the first moves of a match: one line with one to three different
// cells. With arguments, a group and a seed, the program draws a case.
import java.util.*;

public class Judge extends Umpire {
    static final String[] LINES = {"123", "456", "789", "147", "258", "369", "159", "357"};
    static final char[] board = ".........".toCharArray();

    public static void main(String[] args) {
        if (args.length == 2) {
            System.out.println(generate(Long.parseUnsignedLong(args[1])));
            return;
        }
        begin();
        List<Integer> opening = opening();
        if (opening.isEmpty() || opening.size() > 3) refuse(1, "expected one line of one to three different cells, such as 5 1");
        for (int turn = 0; turn < 9; turn++) {
            int seat = turn % 2 + 1;
            char mark = "XO".charAt(turn % 2);
            if (turn < opening.size()) {
                board[opening.get(turn) - 1] = mark;
                continue;
            }
            position();
            say(seat, new String(board));
            for (int i = 0; i < 9; i++) if (board[i] == '.') choice(seat, i + 1);
            board[Integer.parseInt(ask(seat)) - 1] = mark;
            for (String line : LINES) {
                if (line.chars().allMatch(c -> board[c - '1'] == mark)) {
                    position();
                    end(seat == 1 ? "1 0" : "0 1");
                }
            }
        }
        position();
        end("0.5 0.5");
    }

    /** The cells of the case; none if they are wrong. */
    static List<Integer> opening() {
        List<Integer> cells = new ArrayList<>();
        if (given.size() == 1) {
            for (String word : given.get(0).split(" ")) {
                if (!word.matches("[1-9]") || cells.contains(Integer.valueOf(word))) return List.of();
                cells.add(Integer.valueOf(word));
            }
        }
        return cells;
    }

    static String generate(long seed) {
        List<Integer> cells = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9));
        Random draw = new Random(seed);
        Collections.shuffle(cells, draw);
        StringJoiner line = new StringJoiner(" ");
        for (int cell : cells.subList(0, 1 + draw.nextInt(3))) line.add("" + cell);
        return line.toString();
    }

    /** Shows the board as text, and as a picture in which a free cell is a button. */
    static void position() {
        String text = new String(board);
        show(text.substring(0, 3) + "\n" + text.substring(3, 6) + "\n" + text.substring(6));
        StringBuilder parts = new StringBuilder("<path d='M1 0V3M2 0V3M0 1H3M0 2H3' fill='none' stroke='currentColor' stroke-width='0.03'/>");
        for (int i = 0; i < 9; i++) {
            int x = i % 3, y = i / 3;
            if (board[i] == 'X') {
                parts.append("<path d='M" + x + ".2 " + y + ".2l.6 .6M" + x + ".8 " + y + ".2l-.6 .6' stroke='#d33' stroke-width='0.1'/>");
            } else if (board[i] == 'O') {
                parts.append("<circle cx='" + x + ".5' cy='" + y + ".5' r='0.3' fill='none' stroke='#36c' stroke-width='0.1'/>");
            } else {
                parts.append("<rect x='" + x + "' y='" + y + "' width='1' height='1' fill-opacity='0' data-reply='" + (i + 1) + "'/>");
            }
        }
        svg("<svg viewBox='0 0 3 3'>" + parts + "</svg>");
    }
}
