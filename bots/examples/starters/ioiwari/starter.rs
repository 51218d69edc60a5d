// A starter for Ioiwari: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games ioiwari):
//   read   one line with the beads in the pits 1 to 7; seat 1 then moves first
//   write  on your turn the number of a pit that is not empty, 1 to 7
//   read   on the opponent's turn the number of the pit it played
use std::env;
use std::io::{self, Write};
use std::process;

/// YOUR STRATEGY: the pit to play, 0 to 6. Here: the first that holds a bead.
fn choose(pits: &[usize; 7]) -> usize {
    pits.iter().position(|&beads| beads > 0).unwrap()
}

/// Plays a pit and returns the beads it brings. To try a move, play it on a clone.
fn sow(pits: &mut [usize; 7], mut pit: usize) -> usize {
    let mut hand = pits[pit];
    let mut gain = 0;
    pits[pit] = 0;
    loop {
        pit = (pit + 1) % 7;
        if hand == 1 {
            // The last bead takes a pit of 1 to 4, or is the opponent's.
            if (1..=4).contains(&pits[pit]) {
                gain += pits[pit] + 1;
                pits[pit] = 0;
            }
            return gain;
        }
        if pits[pit] == 5 {
            pits[pit] -= 1; // a full pit gives a bead
            gain += 1;
        } else {
            pits[pit] += 1;
            hand -= 1;
        }
    }
}

/// Reads a line of numbers. The input ends when the match is over.
fn read() -> Vec<usize> {
    let mut line = String::new();
    if io::stdin().read_line(&mut line).unwrap() == 0 {
        process::exit(0);
    }
    line.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

fn main() {
    let seat = env::var("UMPIRE_SEAT").map_or(1, |text| text.parse().unwrap());
    let mut pits: [usize; 7] = read().try_into().unwrap();
    let mut turn = 1;
    while pits != [0; 7] {
        let pit;
        if turn == seat {
            pit = choose(&pits);
            // Debug output goes to standard error; standard output is for moves alone.
            eprintln!("pits {:?} I play {}", pits, pit + 1);
            println!("{}", pit + 1);
            io::stdout().flush().unwrap(); // else umpire may wait for the line
        } else {
            pit = read()[0] - 1;
        }
        sow(&mut pits, pit);
        turn = 3 - turn;
    }
}
