import java.io.*;
import java.nio.file.*;
import java.util.*;

public class Debug {
	public static void main(String[] args) throws Exception {
		Scanner in = new Scanner(System.in);
		while (in.hasNextLine()) {
			System.out.println("thinking about " + in.nextLine());
			System.out.println(1);
		}
	}
}
