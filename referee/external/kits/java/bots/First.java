import java.util.Scanner;

public class First {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        while (in.hasNextLine()) {
            String board = in.nextLine();
            System.out.println(board.indexOf('.') + 1);
        }
    }
}
