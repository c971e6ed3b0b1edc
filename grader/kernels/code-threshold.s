# Predictability of code: a comparison with random numbers, true for a quarter of them.
# @memory numbers
xor ecx, ecx
loop:
lea rcx, [rcx+8]
and ecx, 0x3ff8
movzx eax, byte ptr [rsi+rcx]
cmp eax, 64
jae keep
add rbx, rax
keep:
add rdx, rax
dec r15
jnz loop
