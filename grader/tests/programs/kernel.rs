//! Lets the kernel read and write memory that the program never touches itself.

use std::{
    fs::File,
    io::{Read as _, Write as _},
};

fn main() {
    let mut zeros = File::open("/dev/zero").unwrap();
    let mut nothing = File::create("/dev/null").unwrap();
    // Allocated zeroed, so untouched until the kernel writes it: 256 KiB are 4096 lines.
    let mut buffer = vec![0u8; 256 * 1024];
    zeros.read_exact(&mut buffer).unwrap();
    nothing.write_all(&buffer).unwrap();
}
