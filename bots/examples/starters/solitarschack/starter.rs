// A starter for Solitärschack: it plays by the rules and leaves the thinking to you.
// Change choose(); the rest is the protocol (in full: umpire games solitarschack):
//   read   six rows of six pieces: 1 2 3 4 torn lopare dam springare
//   write  the row and column, 1 to 6, of the piece you remove; `0 0` ends the match
//   read   after each removal the piece that appears there, or `blank`
use std::io::{self, Write};
use std::process;

/// YOUR STRATEGY: the next (row, column), or None to end. Here: the first that can be
/// reached. Rows and columns count from 0; last holds the piece just removed and its
/// square, and is None at the start, when every square is free to take.
fn choose(board: &[Vec<String>], last: &Option<(String, usize, usize)>) -> Option<(usize, usize)> {
    for row in 0..6 {
        for column in 0..6 {
            if board[row][column] != "blank" && reaches(last, row, column) {
                return Some((row, column));
            }
        }
    }
    None
}

/// Reports whether the piece just removed leads to a square.
fn reaches(last: &Option<(String, usize, usize)>, to_row: usize, to_column: usize) -> bool {
    let Some((piece, row, column)) = last else {
        return true;
    };
    let (down, right) = (to_row.abs_diff(*row), to_column.abs_diff(*column));
    if down == 0 && right == 0 {
        return false;
    }
    let (edge_row, edge_column) = (to_row % 5 == 0, to_column % 5 == 0);
    let (straight, diagonal) = (down == 0 || right == 0, down == right);
    let torn = (right == 0 && edge_row) || (down == 0 && edge_column);
    let lopare = diagonal && (edge_row || edge_column);
    match piece.as_str() {
        "springare" => down * right == 2,
        "torn" => torn,
        "lopare" => lopare,
        "dam" => torn || lopare,
        digit => down.max(right) == digit.parse().unwrap() && (straight || diagonal),
    }
}

/// Reads a line of pieces.
fn read() -> Vec<String> {
    let mut line = String::new();
    if io::stdin().read_line(&mut line).unwrap() == 0 {
        process::exit(1);
    }
    line.split_whitespace().map(String::from).collect()
}

fn main() {
    let mut board: Vec<Vec<String>> = (0..6).map(|_| read()).collect();
    let mut last = None;
    while let Some((row, column)) = choose(&board, &last) {
        let piece = board[row][column].clone();
        // Debug output goes to standard error; standard output is for moves alone.
        eprintln!("remove {} at {} {}", piece, row + 1, column + 1);
        println!("{} {}", row + 1, column + 1);
        io::stdout().flush().unwrap(); // else umpire may wait for the line
        board[row][column] = read().remove(0);
        last = Some((piece, row, column));
    }
    println!("0 0");
}
