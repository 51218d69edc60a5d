// A starter for mensch-2: a plain, correct solution. Make solve() your own.
// The protocol (in full: umpire games mensch-2):
//   read   a line with A, B and m, and a line with n, up to 100000
//   write  n lines, the k-th number on line k
//   end    with exit status 0
use std::io::{self, Read};

/// YOUR SOLUTION: the first n numbers of the die.
fn solve(a: u32, b: u32, m: u32, n: u32) -> Vec<u32> {
    let mut numbers = Vec::new();
    let mut x = b;
    for _ in 0..n {
        numbers.push(x % 6 + 1);
        x = (a * x + b) % m;
    }
    numbers
}

fn main() {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input).unwrap();
    let words: Vec<u32> = input.split_whitespace().map(|word| word.parse().unwrap()).collect();
    let (a, b, m, n) = (words[0], words[1], words[2], words[3]);
    // Debug output goes to standard error; standard output is for the answer alone.
    eprintln!("A {} B {} m {} n {}", a, b, m, n);
    let mut out = String::new(); // one write is faster than n
    for number in solve(a, b, m, n) {
        out += &format!("{}\n", number);
    }
    print!("{}", out);
}
