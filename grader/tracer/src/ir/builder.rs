//! Writes the instrumented block, one flat statement at a time.
//!
//! VEX wants flat IR from a tool: each operand is a constant or a temporary. Every expression that
//! the builder hands out is therefore bound to a temporary at once; VEX folds the temporaries back
//! into addressing modes and memory operands when it selects instructions.

#![expect(
    unsafe_code,
    reason = "this file wraps VEX's constructors, which are C functions"
)]

use super::{
    ffi,
    layout::{IrExpr, IrSb, IrStmt, numbers as n},
};
use core::{
    ffi::{CStr, c_void},
    marker::PhantomData,
};

/// An operand: a constant or a temporary of the block under construction.
///
/// It points into VEX's arena, which lives until the block is translated: as long as the lifetime.
#[derive(Clone, Copy)]
pub(crate) struct Operand<'b> {
    pub(super) raw: *mut IrExpr,
    pub(super) arena: PhantomData<&'b IrSb>,
}

/// A function that generated code may call, and the name that VEX prints for it.
#[derive(Clone, Copy)]
pub(crate) enum Callee {
    /// Takes one 64-bit argument.
    One(&'static CStr, extern "C" fn(u64)),
    /// Takes two 64-bit arguments.
    Two(&'static CStr, extern "C" fn(u64, u64)),
}

/// The block that replaces the one being instrumented.
pub(crate) struct Builder<'b> {
    raw: *mut IrSb,
    arena: PhantomData<&'b IrSb>,
}

impl<'b> Builder<'b> {
    /// Starts a block with the types, the jump and the end address of `original`, and no statements.
    pub(crate) fn like(original: &'b IrSb) -> Self {
        // SAFETY: `original` is the block that VEX passed to the tool; VEX owns the copy.
        let raw = unsafe { ffi::copy_without_statements(original) };
        Self {
            raw,
            arena: PhantomData,
        }
    }

    /// The finished block, for VEX.
    pub(crate) fn finish(self) -> *mut IrSb {
        self.raw
    }

    fn operand(&self, raw: *mut IrExpr) -> Operand<'b> {
        Operand {
            raw,
            arena: PhantomData,
        }
    }

    /// Appends a statement of the original block, or one made here.
    pub(crate) fn push(&mut self, statement: *mut IrStmt) {
        // SAFETY: both pointers come from VEX and live in its arena.
        unsafe { ffi::add_statement(self.raw, statement) };
    }

    fn bind(&mut self, ty: u32, expr: *mut IrExpr) -> Operand<'b> {
        // SAFETY: `raw` came from `copy_without_statements` and is alive.
        let types = unsafe { (*self.raw).tyenv };
        // SAFETY: `types` is the type environment of this very block.
        let temp = unsafe { ffi::new_temp(types, ty) };
        // SAFETY: `temp` was just made with the type of `expr`.
        let statement = unsafe { ffi::stmt_write_temp(temp, expr) };
        self.push(statement);
        // SAFETY: reads the temporary that the statement above writes.
        let read = unsafe { ffi::expr_read_temp(temp) };
        self.operand(read)
    }

    /// A 64-bit constant.
    pub(crate) fn constant(&self, value: u64) -> Operand<'b> {
        // SAFETY: allocates in VEX's arena and touches nothing else.
        let value = unsafe { ffi::const_u64(value) };
        // SAFETY: `value` was made by the line above.
        let raw = unsafe { ffi::expr_const(value) };
        self.operand(raw)
    }

    fn shift_amount(&self, bits: u8) -> Operand<'b> {
        // SAFETY: allocates in VEX's arena and touches nothing else.
        let value = unsafe { ffi::const_u8(bits) };
        // SAFETY: `value` was made by the line above.
        let raw = unsafe { ffi::expr_const(value) };
        self.operand(raw)
    }

    fn binary(&mut self, op: u32, ty: u32, left: Operand<'b>, right: Operand<'b>) -> Operand<'b> {
        // SAFETY: both operands live in VEX's arena.
        let expr = unsafe { ffi::expr_binop(op, left.raw, right.raw) };
        self.bind(ty, expr)
    }

    fn unary(&mut self, op: u32, ty: u32, argument: Operand<'b>) -> Operand<'b> {
        // SAFETY: the operand lives in VEX's arena.
        let expr = unsafe { ffi::expr_unop(op, argument.raw) };
        self.bind(ty, expr)
    }

    /// `left + right`, wrapping.
    pub(crate) fn add(&mut self, left: Operand<'b>, right: Operand<'b>) -> Operand<'b> {
        self.binary(n::IOP_ADD64, n::ITY_I64, left, right)
    }

    /// `left - right`, wrapping.
    pub(crate) fn sub(&mut self, left: Operand<'b>, right: Operand<'b>) -> Operand<'b> {
        self.binary(n::IOP_SUB64, n::ITY_I64, left, right)
    }

    /// `left & right`.
    pub(crate) fn and(&mut self, left: Operand<'b>, right: Operand<'b>) -> Operand<'b> {
        self.binary(n::IOP_AND64, n::ITY_I64, left, right)
    }

    /// `value << bits`.
    pub(crate) fn shift_left(&mut self, value: Operand<'b>, bits: u8) -> Operand<'b> {
        let amount = self.shift_amount(bits);
        self.binary(n::IOP_SHL64, n::ITY_I64, value, amount)
    }

    /// `value >> bits`, unsigned.
    pub(crate) fn shift_right(&mut self, value: Operand<'b>, bits: u8) -> Operand<'b> {
        let amount = self.shift_amount(bits);
        self.binary(n::IOP_SHR64, n::ITY_I64, value, amount)
    }

    /// The truth of `left != right`.
    pub(crate) fn differs(&mut self, left: Operand<'b>, right: Operand<'b>) -> Operand<'b> {
        self.binary(n::IOP_CMP_NE64, n::ITY_I1, left, right)
    }

    /// The truth of `left < right`, unsigned.
    pub(crate) fn below(&mut self, left: Operand<'b>, right: Operand<'b>) -> Operand<'b> {
        self.binary(n::IOP_CMP_LT64U, n::ITY_I1, left, right)
    }

    /// The truth of `left > right`, unsigned; cheapest when `right` is a constant.
    pub(crate) fn above(&mut self, left: Operand<'b>, right: Operand<'b>) -> Operand<'b> {
        let at_most = self.binary(n::IOP_CMP_LE64U, n::ITY_I1, left, right);
        self.unary(n::IOP_NOT1, n::ITY_I1, at_most)
    }

    /// The truth of `left` and `right`, both truths.
    pub(crate) fn both(&mut self, left: Operand<'b>, right: Operand<'b>) -> Operand<'b> {
        self.binary(n::IOP_AND1, n::ITY_I1, left, right)
    }

    /// 1 if the truth holds, else 0.
    pub(crate) fn number_of(&mut self, truth: Operand<'b>) -> Operand<'b> {
        self.unary(n::IOP_1_U_TO_64, n::ITY_I64, truth)
    }

    /// The 64-bit register at `offset` of the guest state.
    pub(crate) fn register(&mut self, offset: i32) -> Operand<'b> {
        // SAFETY: allocates in VEX's arena; `offset` comes from VEX's own layout.
        let expr = unsafe { ffi::expr_get(offset, n::ITY_I64) };
        self.bind(n::ITY_I64, expr)
    }

    /// The 64-bit word of the tool's memory at `address`.
    pub(crate) fn load(&mut self, address: Operand<'b>) -> Operand<'b> {
        // SAFETY: builds an expression; that the address is readable when the code runs is upheld
        // by the callers, which pass addresses of statics and of leaked allocations only.
        let expr = unsafe { ffi::expr_load(n::IEND_LE, n::ITY_I64, address.raw) };
        self.bind(n::ITY_I64, expr)
    }

    /// Stores `value` to the 64-bit word of the tool's memory at `address`.
    pub(crate) fn store(&mut self, address: Operand<'b>, value: Operand<'b>) {
        // SAFETY: as in `load`.
        let statement = unsafe { ffi::stmt_store(n::IEND_LE, address.raw, value.raw) };
        self.push(statement);
    }

    /// Calls `callee` with as many of `arguments` as it takes, if `guard` holds.
    pub(crate) fn call(
        &mut self,
        callee: Callee,
        arguments: [Operand<'b>; 2],
        guard: Option<Operand<'b>>,
    ) {
        let [first, second] = arguments;
        let (count, name, function, vector) = match callee {
            Callee::One(name, function) => {
                // SAFETY: the operand lives in VEX's arena.
                let vector = unsafe { ffi::arguments_1(first.raw) };
                (1, name, function as *const c_void, vector)
            }
            Callee::Two(name, function) => {
                // SAFETY: the operands live in VEX's arena.
                let vector = unsafe { ffi::arguments_2(first.raw, second.raw) };
                (2, name, function as *const c_void, vector)
            }
        };
        // SAFETY: `function` takes as many words as `vector` holds, and follows the C convention.
        let call = unsafe { ffi::dirty_without_result(count, name.as_ptr(), function, vector) };
        if let Some(guard) = guard {
            // SAFETY: `call` was just made and nobody else holds it.
            unsafe { (*call).guard = guard.raw };
        }
        // SAFETY: `call` was made above.
        let statement = unsafe { ffi::stmt_dirty(call) };
        self.push(statement);
    }
}
