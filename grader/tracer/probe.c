/* Prints, as Rust constants, what the installed headers say: enum numbers change from one Valgrind
   to the next, and the layouts in ir/layout.rs are checked against these offsets at compile time. */
#include <stddef.h>
#include <stdio.h>

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

#define NUMBER(rust, c) printf("pub(crate) const " #rust ": u32 = 0x%x;\n", (unsigned)(c))
#define OFFSET(rust, type, field) \
   printf("pub(crate) const " #rust ": usize = %zu;\n", offsetof(type, field))
#define BYTES(rust, type) printf("pub(crate) const " #rust ": usize = %zu;\n", sizeof(type))

int main(void)
{
   NUMBER(IST_NO_OP, Ist_NoOp);
   NUMBER(IST_IMARK, Ist_IMark);
   NUMBER(IST_WR_TMP, Ist_WrTmp);
   NUMBER(IST_STORE, Ist_Store);
   NUMBER(IST_LOAD_G, Ist_LoadG);
   NUMBER(IST_STORE_G, Ist_StoreG);
   NUMBER(IST_CAS, Ist_CAS);
   NUMBER(IST_LLSC, Ist_LLSC);
   NUMBER(IST_DIRTY, Ist_Dirty);
   NUMBER(IST_EXIT, Ist_Exit);
   NUMBER(IEX_LOAD, Iex_Load);
   NUMBER(IEX_CONST, Iex_Const);
   NUMBER(ITY_I1, Ity_I1);
   NUMBER(ITY_I64, Ity_I64);
   NUMBER(ITY_INVALID, Ity_INVALID);
   NUMBER(IEND_LE, Iend_LE);
   NUMBER(IFX_NONE, Ifx_None);
   NUMBER(IFX_READ, Ifx_Read);
   NUMBER(IFX_WRITE, Ifx_Write);
   NUMBER(IFX_MODIFY, Ifx_Modify);
   NUMBER(IOP_ADD64, Iop_Add64);
   NUMBER(IOP_SUB64, Iop_Sub64);
   NUMBER(IOP_AND64, Iop_And64);
   NUMBER(IOP_SHL64, Iop_Shl64);
   NUMBER(IOP_SHR64, Iop_Shr64);
   NUMBER(IOP_CMP_NE64, Iop_CmpNE64);
   NUMBER(IOP_CMP_LE64U, Iop_CmpLE64U);
   NUMBER(IOP_CMP_LT64U, Iop_CmpLT64U);
   NUMBER(IOP_AND1, Iop_And1);
   NUMBER(IOP_NOT1, Iop_Not1);
   NUMBER(IOP_1_U_TO_64, Iop_1Uto64);
   NUMBER(CORE_SYS_CALL, Vg_CoreSysCall);

   OFFSET(SB_TYENV, IRSB, tyenv);
   OFFSET(SB_STMTS, IRSB, stmts);
   OFFSET(SB_STMTS_USED, IRSB, stmts_used);
   OFFSET(STMT_IMARK_ADDR, IRStmt, Ist.IMark.addr);
   OFFSET(STMT_IMARK_LEN, IRStmt, Ist.IMark.len);
   OFFSET(STMT_WR_TMP_DATA, IRStmt, Ist.WrTmp.data);
   OFFSET(STMT_STORE_ADDR, IRStmt, Ist.Store.addr);
   OFFSET(STMT_STORE_DATA, IRStmt, Ist.Store.data);
   OFFSET(STMT_LOAD_G, IRStmt, Ist.LoadG.details);
   OFFSET(STMT_STORE_G, IRStmt, Ist.StoreG.details);
   OFFSET(STMT_CAS, IRStmt, Ist.CAS.details);
   OFFSET(STMT_LLSC_ADDR, IRStmt, Ist.LLSC.addr);
   OFFSET(STMT_LLSC_DATA, IRStmt, Ist.LLSC.storedata);
   OFFSET(STMT_LLSC_RESULT, IRStmt, Ist.LLSC.result);
   OFFSET(STMT_DIRTY, IRStmt, Ist.Dirty.details);
   OFFSET(EXPR_LOAD_TY, IRExpr, Iex.Load.ty);
   OFFSET(EXPR_LOAD_ADDR, IRExpr, Iex.Load.addr);
   OFFSET(LOAD_G_CVT, IRLoadG, cvt);
   OFFSET(LOAD_G_ADDR, IRLoadG, addr);
   OFFSET(LOAD_G_GUARD, IRLoadG, guard);
   OFFSET(STORE_G_ADDR, IRStoreG, addr);
   OFFSET(STORE_G_DATA, IRStoreG, data);
   OFFSET(STORE_G_GUARD, IRStoreG, guard);
   OFFSET(CAS_ADDR, IRCAS, addr);
   OFFSET(CAS_DATA_HI, IRCAS, dataHi);
   OFFSET(CAS_DATA_LO, IRCAS, dataLo);
   OFFSET(DIRTY_GUARD, IRDirty, guard);
   OFFSET(DIRTY_MFX, IRDirty, mFx);
   OFFSET(DIRTY_MADDR, IRDirty, mAddr);
   OFFSET(DIRTY_MSIZE, IRDirty, mSize);
   OFFSET(LAYOUT_OFFSET_SP, VexGuestLayout, offset_SP);
   OFFSET(RESULT_IS_ERROR, SysRes, _isError);
   OFFSET(RESULT_VALUE, SysRes, _val);
   BYTES(DI_EPOCH_BYTES, DiEpoch);
   return 0;
}
