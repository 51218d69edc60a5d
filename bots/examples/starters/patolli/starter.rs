// A starter for Patolli: a plain, correct solution. Make answer() your own.
// The protocol (in full: umpire games patolli):
//   read   lines to the end of the input: 3 markers of the opponent, 3 of the player, r, r rolls
//   write  for each line where the player's markers stand in the end, in order, or GAME OVER
//   end    with exit status 0
use std::io::{self, Read};

const CORNERS: [i32; 9] = [7, 12, 17, 22, 27, 35, 40, 45, 50];
const SQUARES: [i32; 5] = [9, 16, 25, 36, 49];
const PRIMES: [i32; 15] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47];

/// YOUR SOLUTION: where the player's markers stand after the rolls, in order.
fn answer(opponent: &[i32], player: &[i32], rolls: &[i32]) -> Vec<i32> {
    let mut player = player.to_vec();
    player.sort();
    for &roll in rolls {
        if player.is_empty() {
            break;
        }
        let start = player.remove(0); // the lowest
        let end = target(start, roll, &[opponent, &player].concat());
        if end < 52 {
            player.push(end); // 52 leaves the grid
        }
        player.sort();
    }
    player
}

/// The location to which a roll takes a marker.
fn target(start: i32, roll: i32, occupied: &[i32]) -> i32 {
    let end = start + roll;
    if end > 52 || occupied.contains(&end) {
        return start;
    }
    if end == 52 {
        return end;
    }
    if PRIMES.contains(&end) {
        return walk(end, 1, occupied);
    }
    if SQUARES.contains(&end) {
        return walk(end, -1, occupied);
    }
    if CORNERS.iter().any(|&corner| start < corner && corner < end) {
        let multiple = end - end % roll;
        return if occupied.contains(&multiple) { start } else { multiple };
    }
    end
}

/// Up to six locations on, or back, but not past 51 and not onto an occupied one.
fn walk(start: i32, step: i32, occupied: &[i32]) -> i32 {
    let mut here = start;
    for _ in 0..6 {
        if occupied.contains(&(here + step)) {
            return here;
        }
        if here + step == 52 {
            return start;
        }
        here += step;
    }
    here
}

fn main() {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input).unwrap();
    let mut out = String::new(); // one write is faster than many
    let mut count = 0;
    for line in input.lines().filter(|line| !line.trim().is_empty()) {
        let numbers: Vec<i32> = line.split_whitespace().map(|word| word.parse().unwrap()).collect();
        let left = answer(&numbers[..3], &numbers[3..6], &numbers[7..]);
        let words: Vec<String> = left.iter().map(|marker| marker.to_string()).collect();
        out += &if words.is_empty() { "GAME OVER".to_string() } else { words.join(" ") };
        out += "\n";
        count += 1;
    }
    // Debug output goes to standard error; standard output is for the answers alone.
    eprintln!("answered {} lines", count);
    print!("{}", out);
}
