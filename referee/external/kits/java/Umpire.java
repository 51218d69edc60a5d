// What a judge says to umpire and hears from it: see `umpire help topic own-games`.
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

class Umpire {
    private static final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private static final PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);

    static int seats; // of the match
    static long seed; // to draw from, and from nothing else
    static List<String> given = new ArrayList<>(); // the lines of the case

    static void tell(Object... words) {
        StringJoiner line = new StringJoiner(" ");
        for (Object word : words) line.add(String.valueOf(word));
        out.print(line + "\n");
    }

    static String hear() {
        out.flush();
        try {
            String line = in.readLine();
            if (line == null) System.exit(0);
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void begin() {
        String[] words = hear().split(" ");
        seats = Integer.parseInt(words[2]);
        seed = Long.parseUnsignedLong(words[3]);
        for (int n = Integer.parseInt(words[4]); n > 0; n--) given.add(hear());
    }

    static void each(String verb, String text) { for (String line : text.split("\n", -1)) tell(verb, line); }
    static void show(String text) { each("show", text); }
    static void showTo(int seat, String text) { each("show-to " + seat, text); }
    static void svg(String text) { tell("svg", text); }
    static void note(String text) { each("note", text); }
    static void say(int seat, String text) { each("say " + seat, text); }
    static void foul(int seat, String why) { tell("foul", seat, why); }
    static void refuse(int line, String why) { tell("refuse", line, why); hear(); }
    static void choice(int seat, Object reply) { tell("choice", seat, reply); } // before the seat is asked

    // ask returns what a seat replied; null if it has failed. For several at the same time:
    // tell("ask 1 2"), and heard for each of them.
    static String ask(int seat) { tell("ask", seat); return heard(seat); }
    static String heard(int seat) {
        String line = hear(), begins = "reply " + seat + " ";
        return line.startsWith(begins) ? line.substring(begins.length()) : null;
    }

    // end ends the match: a score for each seat, higher is better, as in end("1 0").
    static void end(String scores) { tell("end", scores); out.flush(); System.exit(0); }
}
