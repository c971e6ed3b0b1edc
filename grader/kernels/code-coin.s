# Predictability of code: a branch that follows a random bit.
# @memory numbers
xor ecx, ecx
loop:
lea rcx, [rcx+8]
and ecx, 0x3ff8
mov rax, [rsi+rcx]
test al, 1
jz skip
add rbx, 1
skip:
dec r15
jnz loop
