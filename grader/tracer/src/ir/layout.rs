//! The parts of VEX's data structures that the tool reads, laid out as the C headers lay them out.
//!
//! Enum numbers come from the installed headers (see `probe.c`). The layouts are written down here
//! and compared with the headers' offsets at compile time: a Valgrind that moved a field does not
//! build, instead of reading the wrong one. Source: `libvex_ir.h`.

use core::{ffi::c_void, mem::offset_of};

/// What `probe.c` printed for this Valgrind.
pub(crate) mod numbers {
    include!(concat!(env!("OUT_DIR"), "/numbers.rs"));
}

/// `IRSB`: the translation of a straight run of guest instructions with side exits.
#[repr(C)]
pub(crate) struct IrSb {
    pub(crate) tyenv: *mut c_void,
    pub(crate) stmts: *mut *mut IrStmt,
    pub(crate) stmts_size: i32,
    pub(crate) stmts_used: i32,
}

/// `IRExpr`, whose variants are read through the tag.
#[repr(C)]
pub(crate) struct IrExpr {
    pub(crate) tag: u32,
    pub(crate) load: ExprLoad,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct ExprLoad {
    pub(crate) end: u32,
    pub(crate) ty: u32,
    pub(crate) addr: *mut IrExpr,
}

/// `IRStmt`, whose variants are read through the tag.
#[repr(C)]
pub(crate) struct IrStmt {
    pub(crate) tag: u32,
    pub(crate) body: StmtBody,
}

#[repr(C)]
pub(crate) union StmtBody {
    pub(crate) imark: StmtIMark,
    pub(crate) wr_tmp: StmtWrTmp,
    pub(crate) store: StmtStore,
    pub(crate) llsc: StmtLlsc,
    pub(crate) load_g: *mut LoadG,
    pub(crate) store_g: *mut StoreG,
    pub(crate) cas: *mut Cas,
    pub(crate) dirty: *mut Dirty,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct StmtIMark {
    pub(crate) addr: u64,
    pub(crate) len: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct StmtWrTmp {
    pub(crate) tmp: u32,
    pub(crate) data: *mut IrExpr,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct StmtStore {
    pub(crate) end: u32,
    pub(crate) addr: *mut IrExpr,
    pub(crate) data: *mut IrExpr,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct StmtLlsc {
    pub(crate) end: u32,
    pub(crate) result: u32,
    pub(crate) addr: *mut IrExpr,
    pub(crate) storedata: *mut IrExpr,
}

/// `IRLoadG`: a load that happens only if its guard holds.
#[repr(C)]
pub(crate) struct LoadG {
    pub(crate) end: u32,
    pub(crate) cvt: u32,
    pub(crate) dst: u32,
    pub(crate) addr: *mut IrExpr,
    pub(crate) alt: *mut IrExpr,
    pub(crate) guard: *mut IrExpr,
}

/// `IRStoreG`: a store that happens only if its guard holds.
#[repr(C)]
pub(crate) struct StoreG {
    pub(crate) end: u32,
    pub(crate) addr: *mut IrExpr,
    pub(crate) data: *mut IrExpr,
    pub(crate) guard: *mut IrExpr,
}

/// `IRCAS`: compare and swap of one or two elements.
#[repr(C)]
pub(crate) struct Cas {
    pub(crate) old_hi: u32,
    pub(crate) old_lo: u32,
    pub(crate) end: u32,
    pub(crate) addr: *mut IrExpr,
    pub(crate) expd_hi: *mut IrExpr,
    pub(crate) expd_lo: *mut IrExpr,
    pub(crate) data_hi: *mut IrExpr,
    pub(crate) data_lo: *mut IrExpr,
}

/// `IRDirty`: a call of a C function, and the one memory range that it touches.
#[repr(C)]
pub(crate) struct Dirty {
    pub(crate) cee: *mut c_void,
    pub(crate) guard: *mut IrExpr,
    pub(crate) args: *mut *mut IrExpr,
    pub(crate) tmp: u32,
    pub(crate) m_fx: u32,
    pub(crate) m_addr: *mut IrExpr,
    pub(crate) m_size: i32,
}

/// `VexGuestLayout`: where registers lie in the guest state.
#[repr(C)]
pub(crate) struct GuestLayout {
    pub(crate) total_size_bytes: i32,
    pub(crate) offset_sp: i32,
}

macro_rules! same_offset {
    ($($ours:expr => $theirs:ident),+ $(,)?) => {
        $(const _: () = assert!(
            $ours == numbers::$theirs,
            "tracer-build: this Valgrind lays out its IR differently (see ir/layout.rs)",
        );)+
    };
}

const BODY: usize = offset_of!(IrStmt, body);

same_offset! {
    offset_of!(IrSb, tyenv) => SB_TYENV,
    offset_of!(IrSb, stmts) => SB_STMTS,
    offset_of!(IrSb, stmts_used) => SB_STMTS_USED,
    BODY + offset_of!(StmtIMark, addr) => STMT_IMARK_ADDR,
    BODY + offset_of!(StmtIMark, len) => STMT_IMARK_LEN,
    BODY + offset_of!(StmtWrTmp, data) => STMT_WR_TMP_DATA,
    BODY + offset_of!(StmtStore, addr) => STMT_STORE_ADDR,
    BODY + offset_of!(StmtStore, data) => STMT_STORE_DATA,
    BODY => STMT_LOAD_G,
    BODY => STMT_STORE_G,
    BODY => STMT_CAS,
    BODY => STMT_DIRTY,
    BODY + offset_of!(StmtLlsc, addr) => STMT_LLSC_ADDR,
    BODY + offset_of!(StmtLlsc, storedata) => STMT_LLSC_DATA,
    BODY + offset_of!(StmtLlsc, result) => STMT_LLSC_RESULT,
    offset_of!(IrExpr, load) + offset_of!(ExprLoad, ty) => EXPR_LOAD_TY,
    offset_of!(IrExpr, load) + offset_of!(ExprLoad, addr) => EXPR_LOAD_ADDR,
    offset_of!(LoadG, cvt) => LOAD_G_CVT,
    offset_of!(LoadG, addr) => LOAD_G_ADDR,
    offset_of!(LoadG, guard) => LOAD_G_GUARD,
    offset_of!(StoreG, addr) => STORE_G_ADDR,
    offset_of!(StoreG, data) => STORE_G_DATA,
    offset_of!(StoreG, guard) => STORE_G_GUARD,
    offset_of!(Cas, addr) => CAS_ADDR,
    offset_of!(Cas, data_hi) => CAS_DATA_HI,
    offset_of!(Cas, data_lo) => CAS_DATA_LO,
    offset_of!(Dirty, guard) => DIRTY_GUARD,
    offset_of!(Dirty, m_fx) => DIRTY_MFX,
    offset_of!(Dirty, m_addr) => DIRTY_MADDR,
    offset_of!(Dirty, m_size) => DIRTY_MSIZE,
    offset_of!(GuestLayout, offset_sp) => LAYOUT_OFFSET_SP,
    size_of::<u32>() => DI_EPOCH_BYTES,
}
