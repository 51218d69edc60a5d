import java.io.*;
import java.nio.file.*;
import java.util.*;

public class Seat {
	public static void main(String[] args) throws Exception {
		Scanner in = new Scanner(System.in);
		String board = in.nextLine();
		while (in.hasNextLine()) {
			in.nextLine();
			System.out.println(1);
		}
	}
}
