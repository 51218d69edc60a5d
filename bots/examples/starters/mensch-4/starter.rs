// A starter for mensch-4: a plain, correct solution. Make answer() your own.
// The protocol (in full: umpire games mensch-4):
//   read   a line with A, B and m, a line with q, up to 1000, and q requests, one a line
//   write  the answers, one a line; giveup has none
//   end    with exit status 0
use std::io::{self, Read};

const COLOURS: [char; 4] = ['R', 'B', 'G', 'Y'];

struct Game {
    a: i32,
    b: i32,
    m: i32,
    x: i32,           // of the die
    unused: Vec<i32>, // numbers of the last roll
    turn: usize,      // index in COLOURS of the colour to move
    /// The step of each piece: -1 in its corner, 0 to 39 on the track, 40 to 43 final.
    steps: [[i32; 4]; 4],
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
            if !self.unused.is_empty() {
                self.turn = (self.turn + 1) % 4;
            }
            self.unused.clear();
            return None;
        }
        let mut name = request[1].chars();
        let colour = name.next().unwrap();
        let mine = self.steps[self.turn];
        let piece = name.next().unwrap() as usize - '1' as usize;
        let refusal;
        if colour != COLOURS[self.turn] {
            refusal = "it is not your turn";
        } else if request[0] == "enter" {
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
        let there = cell(self.turn, step);
        for colour in 0..4 {
            for other in 0..4 {
                if cell(colour, self.steps[colour][other]) == there {
                    // The piece there goes back.
                    self.steps[colour][other] = -1;
                }
            }
        }
        self.steps[self.turn][piece] = step;
        if self.unused.is_empty() {
            self.turn = (self.turn + 1) % 4;
        }
        there.to_string()
    }

    /// The next number of the die.
    fn roll(&mut self) -> i32 {
        let number = self.x % 6 + 1;
        self.x = (self.a * self.x + self.b) % self.m;
        number
    }
}

/// The cell of a step on a colour's path.
fn cell(colour: usize, step: i32) -> i32 {
    let k = colour as i32;
    if step < 0 {
        0
    } else if step < 40 {
        (10 * k + step) % 40 + 1
    } else {
        5 + 8 * k + step
    }
}

fn main() {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input).unwrap();
    let mut lines = input.lines();
    let dice: Vec<i32> = lines.next().unwrap().split_whitespace().map(|word| word.parse().unwrap()).collect();
    let q: usize = lines.next().unwrap().trim().parse().unwrap();
    let mut game =
        Game { a: dice[0], b: dice[1], m: dice[2], x: dice[1], unused: vec![], turn: 0, steps: [[-1; 4]; 4] };
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
