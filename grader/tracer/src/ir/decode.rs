//! Reads VEX's statements: which of them are instructions, accesses and exits.

#![expect(
    unsafe_code,
    reason = "reads the tagged unions that VEX passes to a tool"
)]

use super::{
    builder::Operand,
    ffi,
    layout::{IrExpr, IrSb, IrStmt, numbers as n},
};
use core::{ffi::c_void, marker::PhantomData, slice};

/// One data access of an instruction.
#[derive(Clone, Copy)]
pub(crate) struct DataAccess<'b> {
    pub(crate) address: Operand<'b>,
    pub(crate) bytes: u32,
    pub(crate) reads: bool,
    pub(crate) writes: bool,
    /// The access happens only if this truth holds.
    pub(crate) guard: Option<Operand<'b>>,
}

/// What a statement means to the tool.
pub(crate) enum Statement<'b> {
    /// A guest instruction begins: its address and length in bytes.
    Instruction { address: u64, bytes: u32 },
    /// The statement touches memory.
    Access(DataAccess<'b>),
    /// The block may be left here.
    Exit,
    /// Nothing that the tool counts.
    Other,
}

/// The statements of `block`, in order, without the null and empty ones.
pub(crate) fn statements(block: &IrSb) -> impl Iterator<Item = *mut IrStmt> {
    let used = usize::try_from(block.stmts_used).unwrap_or(0);
    // SAFETY: VEX keeps `stmts_used` initialised pointers at `stmts` for as long as the block lives.
    let all = unsafe { slice::from_raw_parts(block.stmts, used) };
    all.iter().copied().filter(|&statement| {
        // SAFETY: a pointer of the list is null or a statement of this block.
        !statement.is_null() && unsafe { (*statement).tag } != n::IST_NO_OP
    })
}

/// Decodes one of [`statements`] of `block`.
pub(crate) fn decode<'b>(block: &'b IrSb, statement: *mut IrStmt) -> Statement<'b> {
    // SAFETY: `statements` yields live statements of `block` only.
    let statement = unsafe { &*statement };
    let body = &statement.body;
    match statement.tag {
        n::IST_IMARK => {
            // SAFETY: the tag says which member of the union is written.
            let mark = unsafe { body.imark };
            Statement::Instruction {
                address: mark.addr,
                bytes: mark.len,
            }
        }
        n::IST_WR_TMP => {
            // SAFETY: the tag says which member of the union is written.
            let data = unsafe { body.wr_tmp }.data;
            load_expression(data)
        }
        n::IST_STORE => {
            // SAFETY: the tag says which member of the union is written.
            let store = unsafe { body.store };
            access(store.addr, bytes_of(block, store.data), false, true, None)
        }
        n::IST_STORE_G => {
            // SAFETY: the tag says which member of the union is written.
            let details = unsafe { body.store_g };
            // SAFETY: VEX never leaves the details of a statement out.
            let store = unsafe { &*details };
            let bytes = bytes_of(block, store.data);
            access(store.addr, bytes, false, true, Some(store.guard))
        }
        n::IST_LOAD_G => {
            // SAFETY: the tag says which member of the union is written.
            let details = unsafe { body.load_g };
            // SAFETY: VEX never leaves the details of a statement out.
            let load = unsafe { &*details };
            access(
                load.addr,
                bytes_of_load_g(load.cvt),
                true,
                false,
                Some(load.guard),
            )
        }
        n::IST_CAS => {
            // SAFETY: the tag says which member of the union is written.
            let details = unsafe { body.cas };
            // SAFETY: VEX never leaves the details of a statement out.
            let cas = unsafe { &*details };
            let elements = if cas.data_hi.is_null() { 1 } else { 2 };
            access(
                cas.addr,
                elements * bytes_of(block, cas.data_lo),
                true,
                true,
                None,
            )
        }
        n::IST_LLSC => {
            // SAFETY: the tag says which member of the union is written.
            let llsc = unsafe { body.llsc };
            if llsc.storedata.is_null() {
                // Not on amd64: a load-linked's size would be its result's type.
                access(llsc.addr, 8, true, false, None)
            } else {
                access(
                    llsc.addr,
                    bytes_of(block, llsc.storedata),
                    false,
                    true,
                    None,
                )
            }
        }
        n::IST_DIRTY => {
            // SAFETY: the tag says which member of the union is written.
            let details = unsafe { body.dirty };
            // SAFETY: VEX never leaves the details of a statement out.
            let call = unsafe { &*details };
            let reads = call.m_fx == n::IFX_READ || call.m_fx == n::IFX_MODIFY;
            let writes = call.m_fx == n::IFX_WRITE || call.m_fx == n::IFX_MODIFY;
            if call.m_fx == n::IFX_NONE {
                return Statement::Other;
            }
            let bytes = u32::try_from(call.m_size).unwrap_or(0);
            // SAFETY: every call has a guard, a constant one if it always happens.
            let always = unsafe { (*call.guard).tag } == n::IEX_CONST;
            let guard = (!always).then_some(call.guard);
            access(call.m_addr, bytes, reads, writes, guard)
        }
        n::IST_EXIT => Statement::Exit,
        _ => Statement::Other,
    }
}

fn access<'b>(
    address: *mut IrExpr,
    bytes: u32,
    reads: bool,
    writes: bool,
    guard: Option<*mut IrExpr>,
) -> Statement<'b> {
    let operand = |raw| Operand {
        raw,
        arena: PhantomData,
    };
    Statement::Access(DataAccess {
        address: operand(address),
        bytes,
        reads,
        writes,
        guard: guard.map(operand),
    })
}

fn load_expression<'b>(data: *mut IrExpr) -> Statement<'b> {
    // SAFETY: the value of a `WrTmp` is a live expression of the block.
    let expr = unsafe { &*data };
    if expr.tag != n::IEX_LOAD {
        return Statement::Other;
    }
    access(
        expr.load.addr,
        bytes_of_type(expr.load.ty),
        true,
        false,
        None,
    )
}

fn bytes_of(block: &IrSb, expr: *const IrExpr) -> u32 {
    let types: *const c_void = block.tyenv;
    // SAFETY: `expr` is an expression of the block whose types these are.
    let ty = unsafe { ffi::type_of(types, expr) };
    bytes_of_type(ty)
}

fn bytes_of_load_g(cvt: u32) -> u32 {
    let mut result = n::ITY_INVALID;
    let mut argument = n::ITY_INVALID;
    // SAFETY: `cvt` comes from a decoded guarded load; both pointers are to live locals.
    unsafe { ffi::type_of_load_g(cvt, &raw mut result, &raw mut argument) };
    bytes_of_type(argument)
}

fn bytes_of_type(ty: u32) -> u32 {
    // SAFETY: `ty` comes from VEX itself.
    let bytes = unsafe { ffi::bytes_of_type(ty) };
    u32::try_from(bytes).unwrap_or(0)
}
