// A bot for tic-tac-toe: reads the board before each of its moves, and answers with a free cell.
import java.util.*;

public class Starter {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        while (in.hasNextLine()) {
            String board = in.nextLine(); // nine characters: X, O, or . for a free cell
            List<Integer> free = new ArrayList<>();
            for (int cell = 1; cell <= 9; cell++) if (board.charAt(cell - 1) == '.') free.add(cell);
            int move = free.get(free.size() - 1); // YOUR STRATEGY
            System.err.println("I read " + board); // for you alone: umpire shows the end of it
            System.out.println(move);
        }
    }
}
