//! Walks a binary tree of 1000 nodes again and again.

// Rust's own start reads /proc/self/maps, whose length depends on the tool that looks on.
#![no_main]

use std::hint::black_box;

struct Node {
    key: u32,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

fn insert(place: &mut Option<Box<Node>>, key: u32) {
    match place {
        None => {
            *place = Some(Box::new(Node {
                key,
                left: None,
                right: None,
            }));
        }
        Some(node) if key < node.key => insert(&mut node.left, key),
        Some(node) => insert(&mut node.right, key),
    }
}

fn sum(place: &Option<Box<Node>>) -> u32 {
    place.as_ref().map_or(0, |node| node.key + sum(&node.left) + sum(&node.right))
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut root = None;
    let mut key = 1u32;
    for _ in 0..1000 {
        // Source: the constants of Numerical Recipes' quick generator.
        key = key.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        insert(&mut root, key >> 16);
    }
    for _ in 0..20 {
        black_box(sum(&root));
    }
    0
}
