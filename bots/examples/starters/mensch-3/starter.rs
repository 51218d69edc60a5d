// A starter for mensch-3: a plain, correct solution. Make answer() your own.
// The protocol (in full: umpire games mensch-3):
//   read   a line with A, B and m, a line with q, up to 100000, and q requests, one a line
//   write  the answers, one a line; giveup has none
//   end    with exit status 0
use std::io::{self, Read};

struct Game {
    a: i32,
    b: i32,
    m: i32,
    x: i32,           // of the die
    unused: Vec<i32>, // numbers of the last roll
    steps: [i32; 4],  // of R1 to R4: -1 in the corner, 0 to 39 on the track, 40 to 43 final
}

impl Game {
    /// YOUR SOLUTION: the answer to a request, given as words; None where there is none.
    fn answer(&mut self, request: &[&str]) -> Option<String> {
        if request[0] == "dice" {
            if !self.unused.is_empty() {
                return Some("invalid dice rolling".to_string());
            }
            while self.unused.is_empty() || self.unused.last() == Some(&6) {
                let number = self.roll();
                self.unused.push(number);
            }
            let words: Vec<String> = self.unused.iter().map(|number| number.to_string()).collect();
            return Some(words.join(" "));
        }
        if request[0] == "giveup" {
            self.unused.clear();
            return None;
        }
        let mut name = request[1].chars();
        name.next(); // the colour, always R
        let mine = self.steps;
        let piece = name.next().unwrap() as usize - '1' as usize;
        let refusal;
        if request[0] == "enter" {
            if mine[piece] >= 0 {
                refusal = "that is in";
            } else if !self.unused.contains(&6) {
                refusal = "you need six";
            } else if mine.contains(&0) {
                refusal = "busy starting cell";
            } else {
                return Some(self.go(piece, 6, 0));
            }
        } else {
            let number: i32 = request[2].parse().unwrap();
            let step = mine[piece] + number;
            if !self.unused.contains(&number) {
                refusal = "invalid move";
            } else if mine[piece] < 0 {
                refusal = "it is not in";
            } else if step > 43 {
                refusal = "you can not move";
            } else if mine.contains(&step) {
                refusal = "destination is busy";
            } else {
                return Some(self.go(piece, number, step));
            }
        }
        Some(refusal.to_string())
    }

    /// Uses a number to take a piece to a step, and returns its cell.
    fn go(&mut self, piece: usize, number: i32, step: i32) -> String {
        self.unused.remove(self.unused.iter().position(|&n| n == number).unwrap());
        self.steps[piece] = step;
        let cell = if step < 40 { step + 1 } else { step + 5 };
        cell.to_string()
    }

    /// The next number of the die.
    fn roll(&mut self) -> i32 {
        let number = self.x % 6 + 1;
        self.x = (self.a * self.x + self.b) % self.m;
        number
    }
}

fn main() {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input).unwrap();
    let mut lines = input.lines();
    let dice: Vec<i32> = lines.next().unwrap().split_whitespace().map(|word| word.parse().unwrap()).collect();
    let q: usize = lines.next().unwrap().trim().parse().unwrap();
    let mut game = Game { a: dice[0], b: dice[1], m: dice[2], x: dice[1], unused: vec![], steps: [-1; 4] };
    let mut out = String::new(); // one write is faster than q
    for line in lines.take(q) {
        let request: Vec<&str> = line.split_whitespace().collect();
        if let Some(reply) = game.answer(&request) {
            out += &format!("{}\n", reply);
        }
    }
    // Debug output goes to standard error; standard output is for the answers alone.
    eprintln!("answered {} requests", q);
    print!("{}", out);
}
