import java.io.*;
import java.nio.file.*;
import java.util.*;

public class NoFlush {
	public static void main(String[] args) throws Exception {
		Scanner in = new Scanner(System.in);
		PrintWriter out = new PrintWriter(System.out);
		while (in.hasNextLine()) {
			in.nextLine();
			out.println(1);
		}
	}
}
