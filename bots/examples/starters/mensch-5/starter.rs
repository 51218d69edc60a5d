// A starter for mensch-5: a plain, correct solution. Make answer() your own.
// The protocol (in full: umpire games mensch-5):
//   read   a line with A, B and m, a line with q, up to 1000, and q requests, one a line
//   write  for each request its answer (giveup has none), and the board in 11 lines
//   end    with exit status 0
use std::io::{self, Read};

const BOARD: [&str; 11] = [
    "41 42 .. .. 09 10 11 .. .. 49 50",
    "43 44 .. .. 08 53 12 .. .. 51 52",
    ".. .. .. .. 07 54 13 .. .. .. ..",
    ".. .. .. .. 06 55 14 .. .. .. ..",
    "01 02 03 04 05 56 15 16 17 18 19",
    "40 45 46 47 48 .. 64 63 62 61 20",
    "39 38 37 36 35 72 25 24 23 22 21",
    ".. .. .. .. 34 71 26 .. .. .. ..",
    ".. .. .. .. 33 70 27 .. .. .. ..",
    "65 66 .. .. 32 69 28 .. .. 57 58",
    "67 68 .. .. 31 30 29 .. .. 59 60",
];

const COLOURS: [char; 4] = ['R', 'B', 'G', 'Y'];

struct Game {
    a: i32,
    b: i32,
    m: i32,
    x: i32,           // of the die
    unused: Vec<i32>, // numbers of the last roll
    turn: usize,      // index in COLOURS of the colour to move
    /// The step of each piece: -1 to -4 in its corner cells, 0 to 39 on the track, 40 to 43 final.
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
                    let free = (1..=4).map(|n| -n).find(|corner| !self.steps[colour].contains(corner));
                    self.steps[colour][other] = free.unwrap();
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

    /// The picture of the board.
    fn board(&self) -> String {
        let mut picture = String::new();
        for line in BOARD {
            let words: Vec<String> = line.split(' ').map(|word| self.show(word)).collect();
            picture += &words.join(".");
            picture += "\n";
        }
        picture
    }

    /// What stands in a place of the picture.
    fn show(&self, word: &str) -> String {
        if word == ".." {
            return word.to_string();
        }
        let here: i32 = word.parse().unwrap();
        for colour in 0..4 {
            for i in 0..4 {
                if cell(colour, self.steps[colour][i]) == here {
                    return format!("{}{}", COLOURS[colour], i + 1);
                }
            }
        }
        if here <= 40 { "oo".to_string() } else { "xx".to_string() }
    }
}

/// The cell of a step on a colour's path.
fn cell(colour: usize, step: i32) -> i32 {
    let k = colour as i32;
    if step < 0 {
        40 + 8 * k - step
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
    let steps = [[-1, -2, -3, -4]; 4];
    let mut game = Game { a: dice[0], b: dice[1], m: dice[2], x: dice[1], unused: vec![], turn: 0, steps };
    let mut out = String::new(); // one write is faster than q
    for line in lines.take(q) {
        let request: Vec<&str> = line.split_whitespace().collect();
        if let Some(reply) = game.answer(&request) {
            out += &format!("{}\n", reply);
        }
        out += &game.board();
    }
    // Debug output goes to standard error; standard output is for the answers alone.
    eprintln!("answered {} requests", q);
    print!("{}", out);
}
