import java.io.*;
import java.nio.file.*;
import java.util.*;

public class NoNewline {
	public static void main(String[] args) throws Exception {
		Scanner in = new Scanner(System.in);
		while (in.hasNextLine()) {
			in.nextLine();
			System.out.print(1);
			System.out.flush();
		}
	}
}
