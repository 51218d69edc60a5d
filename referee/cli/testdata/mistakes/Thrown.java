import java.io.*;
import java.nio.file.*;
import java.util.*;

public class Thrown {
	public static void main(String[] args) throws Exception {
		String[] board = new Scanner(System.in).nextLine().split(" ");
		System.out.println(board[7]);
	}
}
