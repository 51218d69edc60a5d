// A starter for vmukni: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games vmukni):
//   read   N K P S (you are seat S of 1 and 2), five rows of tiles, the first K of N queue tiles
//   write  in your moves, every second one, the way in: 1 to 15
//   read   after every move, yours too, the way it took and the tile turned up, 0 if none
use std::io::{self, Write};
use std::process;

/// YOUR STRATEGY: the way in for tile queue[turn], 1 to 15. Here: each in turn.
fn choose(_board: &[Vec<usize>], _queue: &[usize], turn: usize) -> usize {
    1 + turn % 15
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
    let first = read(); // N K P S
    let (n, seat) = (first[0], first[3]);
    let board: Vec<Vec<usize>> = (0..5).map(|_| read()).collect();
    let mut queue = read();
    for turn in 0..n {
        if turn % 2 == seat - 1 {
            let way = choose(&board, &queue, turn);
            // Debug output goes to standard error; standard output is for moves alone.
            eprintln!("move {} tile {} way {}", turn, queue[turn], way);
            println!("{}", way);
            io::stdout().flush().unwrap(); // else umpire may wait for the line
        }
        let news = read(); // the way it took, the tile turned up
        // A strategy that looks at the board plays queue[turn] by way news[0] on it here.
        if news[1] != 0 {
            queue.push(news[1]);
        }
    }
}
