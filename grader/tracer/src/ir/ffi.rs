//! VEX's constructors, as `libvex_ir.h` declares them. Called only by `ir/builder.rs` and `ir/decode.rs`.

use super::layout::{IrExpr, IrSb, IrStmt};
use core::ffi::{c_char, c_void};

#[expect(unsafe_code, reason = "declares the functions of VEX")]
unsafe extern "C" {
    #[link_name = "deepCopyIRSBExceptStmts"]
    pub(crate) fn copy_without_statements(block: *const IrSb) -> *mut IrSb;
    #[link_name = "addStmtToIRSB"]
    pub(crate) fn add_statement(block: *mut IrSb, statement: *mut IrStmt);
    #[link_name = "newIRTemp"]
    pub(crate) fn new_temp(types: *mut c_void, ty: u32) -> u32;
    #[link_name = "IRConst_U64"]
    pub(crate) fn const_u64(value: u64) -> *mut c_void;
    #[link_name = "IRConst_U8"]
    pub(crate) fn const_u8(value: u8) -> *mut c_void;
    #[link_name = "IRExpr_Const"]
    pub(crate) fn expr_const(value: *mut c_void) -> *mut IrExpr;
    #[link_name = "IRExpr_Get"]
    pub(crate) fn expr_get(offset: i32, ty: u32) -> *mut IrExpr;
    #[link_name = "IRExpr_Load"]
    pub(crate) fn expr_load(end: u32, ty: u32, address: *mut IrExpr) -> *mut IrExpr;
    #[link_name = "IRExpr_Unop"]
    pub(crate) fn expr_unop(op: u32, argument: *mut IrExpr) -> *mut IrExpr;
    #[link_name = "IRExpr_Binop"]
    pub(crate) fn expr_binop(op: u32, left: *mut IrExpr, right: *mut IrExpr) -> *mut IrExpr;
    #[link_name = "IRExpr_RdTmp"]
    pub(crate) fn expr_read_temp(temp: u32) -> *mut IrExpr;
    #[link_name = "IRStmt_WrTmp"]
    pub(crate) fn stmt_write_temp(temp: u32, value: *mut IrExpr) -> *mut IrStmt;
    #[link_name = "IRStmt_Store"]
    pub(crate) fn stmt_store(end: u32, address: *mut IrExpr, value: *mut IrExpr) -> *mut IrStmt;
    #[link_name = "IRStmt_Dirty"]
    pub(crate) fn stmt_dirty(call: *mut super::layout::Dirty) -> *mut IrStmt;
    #[link_name = "unsafeIRDirty_0_N"]
    pub(crate) fn dirty_without_result(
        register_parameters: i32,
        name: *const c_char,
        function: *const c_void,
        arguments: *mut *mut IrExpr,
    ) -> *mut super::layout::Dirty;
    #[link_name = "mkIRExprVec_1"]
    pub(crate) fn arguments_1(a: *mut IrExpr) -> *mut *mut IrExpr;
    #[link_name = "mkIRExprVec_2"]
    pub(crate) fn arguments_2(a: *mut IrExpr, b: *mut IrExpr) -> *mut *mut IrExpr;
    #[link_name = "typeOfIRExpr"]
    pub(crate) fn type_of(types: *const c_void, expr: *const IrExpr) -> u32;
    #[link_name = "typeOfIRLoadGOp"]
    pub(crate) fn type_of_load_g(cvt: u32, result: *mut u32, argument: *mut u32);
    #[link_name = "sizeofIRType"]
    pub(crate) fn bytes_of_type(ty: u32) -> i32;
}
