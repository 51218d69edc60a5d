// Ioiwari: plays the pit that brings most now; of equal ones the lowest label.
use std::env;
use std::io::{self, BufRead, Write};

// Plays pit p (from 0) and returns the beads it brings to the mover's bank.
fn sow(pits: &mut [u32; 7], mut p: usize) -> u32 {
    let mut hand = pits[p];
    let mut gain = 0;
    pits[p] = 0;
    loop {
        p = (p + 1) % 7;
        if hand == 1 {
            if (1..=4).contains(&pits[p]) {
                gain += pits[p] + 1;
                pits[p] = 0;
            }
            return gain;
        }
        if pits[p] == 5 {
            pits[p] -= 1;
            gain += 1;
        } else {
            pits[p] += 1;
            hand -= 1;
        }
    }
}

fn greedy(pits: &[u32; 7]) -> usize {
    let mut best = None;
    for p in (0..7).filter(|&p| pits[p] > 0) {
        let gain = sow(&mut pits.clone(), p);
        if best.map_or(true, |(most, _)| gain > most) {
            best = Some((gain, p));
        }
    }
    best.unwrap().1
}

fn main() {
    let seat = env::var("UMPIRE_SEAT").map_or(1, |s| s.parse().unwrap());
    let mut lines = io::stdin().lock().lines().map(|line| line.unwrap());
    let mut pits = [0; 7];
    for (pit, beads) in pits.iter_mut().zip(lines.next().unwrap().split_whitespace()) {
        *pit = beads.parse().unwrap();
    }
    let mut turn = 1;
    while pits.iter().sum::<u32>() > 0 {
        let p = if turn == seat {
            let p = greedy(&pits);
            println!("{}", p + 1);
            io::stdout().flush().unwrap();
            p
        } else {
            match lines.next() {
                Some(line) => line.trim().parse::<usize>().unwrap() - 1,
                None => return,
            }
        };
        sow(&mut pits, p);
        turn = 3 - turn;
    }
}
