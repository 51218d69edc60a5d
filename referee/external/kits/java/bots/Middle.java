import java.util.Scanner;

public class Middle {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        while (in.hasNextLine()) {
            String board = in.nextLine();
            for (int cell : new int[] {5, 1, 3, 7, 9, 2, 4, 6, 8}) {
                if (board.charAt(cell - 1) == '.') {
                    System.out.println(cell);
                    break;
                }
            }
        }
    }
}
