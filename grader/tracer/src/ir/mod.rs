//! VEX's intermediate representation, as far as the tool reads and writes it.
//!
//! The rest of the crate sees [`decode::Statement`]s coming in and a [`builder::Builder`] going out;
//! raw pointers stay in this folder.

pub(crate) mod builder;
pub(crate) mod decode;
mod ffi;
pub(crate) mod layout;
