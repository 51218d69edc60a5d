// A starter for mensch: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games mensch):
//   read   your colour and all that play (B RBGY), then what others do (R move R2 1 2),
//          `turn` when it is your turn, and `end`
//   write  in your turn a request (dice, enter B1, move B1 4), read its answer, and so
//          on until all numbers are used, or end it by giveup, which has no answer
use std::io::{self, Write};
use std::process;

/// The step of a piece that is not in play; 0 to 39 is the track, 40 to 43 home.
const CORNER: i32 = -1;

/// YOUR STRATEGY: (piece from 0, number), or None to give up. Here: the first that is possible.
fn choose(steps: &[i32; 4], unused: &[i32]) -> Option<(usize, i32)> {
    for &number in unused {
        for piece in 0..4 {
            if target(steps, piece, number).is_some() {
                return Some((piece, number));
            }
        }
    }
    None
}

/// The step to which a number takes a piece of mine, None if it can't be used for it.
fn target(steps: &[i32; 4], piece: usize, number: i32) -> Option<i32> {
    let step = match steps[piece] {
        CORNER if number == 6 => 0,
        CORNER => return None,
        step => step + number,
    };
    if step > 43 || steps.contains(&step) {
        return None;
    }
    Some(step)
}

/// The cell of a step on a colour's path.
fn cell(me: &str, step: i32) -> i32 {
    let k = "RBGY".find(me).unwrap() as i32;
    if step < 40 {
        (10 * k + step) % 40 + 1
    } else {
        45 + 8 * k + step - 40
    }
}

/// Reads a line as words. The input ends when the match is over.
fn read() -> Vec<String> {
    let mut line = String::new();
    if io::stdin().read_line(&mut line).unwrap() == 0 {
        process::exit(0);
    }
    line.split_whitespace().map(String::from).collect()
}

fn say(request: &str) {
    println!("{}", request);
    io::stdout().flush().unwrap(); // else umpire may wait for the line
}

fn take_turn(me: &str, steps: &mut [i32; 4]) {
    say("dice");
    let mut unused: Vec<i32> = read().iter().map(|word| word.parse().unwrap()).collect();
    // Debug output goes to standard error; standard output is for requests alone.
    eprintln!("steps {:?} dice {:?}", steps, unused);
    while !unused.is_empty() && steps.iter().any(|&step| step < 40) {
        // Coming home ends the turn.
        let Some((piece, number)) = choose(steps, &unused) else {
            say("giveup");
            return;
        };
        if steps[piece] == CORNER {
            say(&format!("enter {}{}", me, piece + 1));
        } else {
            say(&format!("move {}{} {}", me, piece + 1, number));
        }
        read(); // the cell, or why the request was refused
        steps[piece] = target(steps, piece, number).unwrap();
        unused.remove(unused.iter().position(|&n| n == number).unwrap());
    }
}

fn main() {
    let me = read().remove(0);
    let mut steps = [CORNER; 4]; // of my pieces
    loop {
        let words = read();
        if words[0] == "end" {
            return;
        }
        if words[0] == "turn" {
            take_turn(&me, &mut steps);
        } else if words[1] == "enter" || words[1] == "move" {
            let to: i32 = words.last().unwrap().parse().unwrap();
            for step in &mut steps {
                if *step != CORNER && cell(&me, *step) == to {
                    *step = CORNER; // another piece landed on mine: it goes back
                }
            }
        }
    }
}
