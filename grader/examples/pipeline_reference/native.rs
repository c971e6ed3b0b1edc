//! Runs assembled loops natively and times them in cycles.

use std::arch::x86_64::_rdtsc;
use std::ptr;

use models::pipeline::x86::assemble_at;
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

/// Bytes of the mapping that holds code.
const CODE_BYTES: usize = 1 << 14;
/// Words of the memory that r14 points to.
const BUFFER_WORDS: usize = 1 << 13;

/// The chain of known latency: twelve cycles an iteration.
const CHAIN: &str = "loop:\nimul rax, rax\nimul rax, rax\nimul rax, rax\nimul rax, rax\n\
                     dec r15\njnz loop\n";
const CHAIN_CYCLES: f64 = 12.0;

/// A function made of assembled code.
struct Native {
    code: *mut core::ffi::c_void,
}

impl Native {
    /// Wraps `text`, a loop that counts down r15, into a function of iterations and memory.
    fn new(text: &str) -> Self {
        let saved = ["rbx", "rbp", "r12", "r13", "r14", "r15"];
        let push: String = saved.iter().map(|r| format!("push {r}\n")).collect();
        let pop: String = saved.iter().rev().map(|r| format!("pop {r}\n")).collect();
        let clear = "mov rax, 1\nmov rbx, 3\nmov rcx, 5\nmov rdx, 7\nmov rbp, 9\nvzeroall\n";
        let setup = "mov r15, rdi\nmov r14, rsi\nlea r13, [rsi+0x1a00]\n";
        let whole = |nops: usize| {
            let pad = "nop\n".repeat(nops);
            format!("{push}{setup}{clear}{pad}{text}vzeroupper\n{pop}ret\n")
        };
        // As in the model: the head of the loop starts a line.
        let head = |text: &str| {
            let assembly = assemble_at(text, 0).expect("the set assembles");
            let jump = assembly
                .lines
                .iter()
                .map(|line| line.instruction)
                .rfind(|jump| jump.is_jcc_short_or_near() && jump.near_branch_target() < jump.ip());
            jump.expect("a loop jumps back").near_branch_target()
        };
        let past = usize::try_from(head(&whole(0)) % 64).expect("less than 64");
        let text = whole((64 - past) % 64);
        let bytes = assemble_at(&text, 0).expect("the set assembles").code();
        assert!(
            bytes.len() <= CODE_BYTES,
            "the loop is longer than the mapping"
        );
        Self {
            code: map_code(&bytes),
        }
    }

    /// Time-stamp ticks of one call.
    fn ticks(&self, iterations: u64, buffer: &mut [u64]) -> u64 {
        #[expect(unsafe_code, reason = "calls code made at run time")]
        // SAFETY: `new` has put a whole function there that follows the System V calling convention,
        // saves what it has to, and touches only the first 8 KiB behind its second argument.
        let function = unsafe {
            core::mem::transmute::<*mut core::ffi::c_void, extern "sysv64" fn(u64, *mut u64)>(
                self.code,
            )
        };
        let memory = buffer.as_mut_ptr();
        let before = time_stamp();
        function(iterations, memory);
        time_stamp() - before
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        #[expect(unsafe_code, reason = "unmaps what `map_code` mapped")]
        // SAFETY: the mapping is this value's own and nothing runs in it any more.
        let _ = unsafe { munmap(self.code, CODE_BYTES) };
    }
}

fn time_stamp() -> u64 {
    #[expect(unsafe_code, reason = "reads the time-stamp counter")]
    // SAFETY: every x86-64 machine has the instruction and Linux lets programs use it.
    unsafe {
        _rdtsc()
    }
}

fn map_code(bytes: &[u8]) -> *mut core::ffi::c_void {
    let writable = ProtFlags::READ | ProtFlags::WRITE;
    #[expect(unsafe_code, reason = "asks for memory that can become executable")]
    // SAFETY: a fresh private mapping at an address of the kernel's choice disturbs nobody.
    let code = unsafe { mmap_anonymous(ptr::null_mut(), CODE_BYTES, writable, MapFlags::PRIVATE) };
    let code = code.expect("the system has 16 KiB left");
    #[expect(unsafe_code, reason = "fills the fresh mapping")]
    // SAFETY: the mapping is ours, writable and at least as long as `bytes`, as `new` checks.
    unsafe {
        ptr::copy_nonoverlapping(bytes.as_ptr(), code.cast(), bytes.len());
    }
    let runnable = MprotectFlags::READ | MprotectFlags::EXEC;
    #[expect(unsafe_code, reason = "makes the mapping executable")]
    // SAFETY: the whole mapping is ours and nobody writes to it any more.
    unsafe { mprotect(code, CODE_BYTES, runnable) }.expect("the system lets programs run own code");
    code
}

/// Cycles per iteration of `text`, in the shortest of `rounds` rounds and in the median one.
pub(crate) fn cycles_per_iteration(text: &str, iterations: u64, rounds: u32) -> (f64, f64) {
    let (measured, chain) = (Native::new(text), Native::new(CHAIN));
    let mut memory = vec![0_u64; BUFFER_WORDS];
    let page = (4096 - ptr::from_ref(&memory[0]).addr() % 4096) / 8;
    let buffer = &mut memory[page..];
    let (mut all, mut chains) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        // Words behind r14 point to themselves, as the model assumes; those behind r13 are ones: an
        // address would be a subnormal number, and arithmetic on those takes a hundred cycles.
        for word in &mut buffer[..512] {
            *word = ptr::from_ref(word).addr() as u64;
        }
        buffer[512..1024].fill(1.0_f64.to_bits());
        all.push(measured.ticks(iterations, buffer));
        chains.push(chain.ticks(iterations, buffer));
    }
    all.sort_unstable();
    chains.sort_unstable();
    let ratio = |at: usize| CHAIN_CYCLES * all[at] as f64 / chains[at] as f64;
    (ratio(0), ratio(all.len() / 2))
}
