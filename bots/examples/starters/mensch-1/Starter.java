// A starter for mensch-1: a plain, correct solution. Make solve() your own.
// The protocol (in full: umpire games mensch-1):
//   read   one integer, 1 to 6
//   write  the face of the die that shows it: 5 lines of 5 characters
//   end    with exit status 0
import java.util.Scanner;

public class Starter {
    static final String[] FACES = {
        "...../...../..o../...../.....",
        "...../...o./...../.o.../.....",
        "...../...o./..o../.o.../.....",
        "...../.o.o./...../.o.o./.....",
        "...../.o.o./..o../.o.o./.....",
        "...../.o.o./.o.o./.o.o./.....",
    };

    /** YOUR SOLUTION: the five lines of face d. */
    static String[] solve(int d) {
        return FACES[d - 1].split("/");
    }

    public static void main(String[] args) {
        int d = new Scanner(System.in).nextInt();
        // Debug output goes to standard error; standard output is for the answer alone.
        System.err.println("face " + d);
        for (String line : solve(d)) System.out.println(line);
    }
}
