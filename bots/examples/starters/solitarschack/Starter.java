// A starter for Solitärschack: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games solitarschack):
//   read   six rows of six pieces: 1 2 3 4 torn lopare dam springare
//   write  the row and column, 1 to 6, of the piece you remove; `0 0` ends the match
//   read   after each removal the piece that appears there, or `blank`
import java.util.Scanner;

public class Starter {
    static final String[][] board = new String[6][6];
    static String last; // the piece just removed
    static int row = -1, column = -1; // and its square; -1 at the start, when all are free to take

    /** YOUR STRATEGY: the next row and column, 0 to 5; null ends. Here: the first that can be reached. */
    static int[] choose() {
        for (int r = 0; r < 6; r++)
            for (int c = 0; c < 6; c++)
                if (!board[r][c].equals("blank") && reaches(r, c)) return new int[] {r, c};
        return null;
    }

    /** Reports whether the piece just removed leads to a square. */
    static boolean reaches(int toRow, int toColumn) {
        if (row < 0) return true;
        int down = Math.abs(toRow - row), right = Math.abs(toColumn - column);
        boolean edgeRow = toRow == 0 || toRow == 5, edgeColumn = toColumn == 0 || toColumn == 5;
        if (down == 0 && right == 0) return false;
        boolean straight = down == 0 || right == 0, diagonal = down == right;
        boolean torn = (right == 0 && edgeRow) || (down == 0 && edgeColumn);
        boolean lopare = diagonal && (edgeRow || edgeColumn);
        switch (last) {
            case "springare": return down * right == 2;
            case "torn": return torn;
            case "lopare": return lopare;
            case "dam": return torn || lopare;
            default: return Math.max(down, right) == Integer.parseInt(last) && (straight || diagonal);
        }
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        for (String[] line : board)
            for (int c = 0; c < 6; c++) line[c] = in.next();
        for (int[] next = choose(); next != null; next = choose()) {
            row = next[0];
            column = next[1];
            last = board[row][column];
            // Debug output goes to standard error; standard output is for moves alone.
            System.err.println("remove " + last + " at " + (row + 1) + " " + (column + 1));
            System.out.println((row + 1) + " " + (column + 1));
            System.out.flush(); // else the line may wait in a buffer, and umpire for it
            board[row][column] = in.next();
        }
        System.out.println("0 0");
    }
}
