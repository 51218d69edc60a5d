import java.io.*;
import java.nio.file.*;
import java.util.*;

public class Folder {
	public static void main(String[] args) throws Exception {
		System.out.println(Files.readString(Path.of("book.txt")));
	}
}
