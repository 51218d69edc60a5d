using System;

class Echo {
    static void Main() {
        string line;
        while ((line = Console.ReadLine()) != null) Console.WriteLine(line);
    }
}
