// A starter for mensch-1: a plain, correct solution. Make solve() your own.
// The protocol (in full: umpire games mensch-1):
//   read   one integer, 1 to 6
//   write  the face of the die that shows it: 5 lines of 5 characters
//   end    with exit status 0
use std::io;

const FACES: [&str; 6] = [
    "...../...../..o../...../.....",
    "...../...o./...../.o.../.....",
    "...../...o./..o../.o.../.....",
    "...../.o.o./...../.o.o./.....",
    "...../.o.o./..o../.o.o./.....",
    "...../.o.o./.o.o./.o.o./.....",
];

/// YOUR SOLUTION: the five lines of face d.
fn solve(d: usize) -> Vec<&'static str> {
    FACES[d - 1].split('/').collect()
}

fn main() {
    let mut line = String::new();
    io::stdin().read_line(&mut line).unwrap();
    let d = line.trim().parse().unwrap();
    // Debug output goes to standard error; standard output is for the answer alone.
    eprintln!("face {}", d);
    for line in solve(d) {
        println!("{}", line);
    }
}
