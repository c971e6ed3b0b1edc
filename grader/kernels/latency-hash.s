# Execution latency: a hash, one long chain of exclusive or and multiply.
loop:
movzx edx, byte ptr [r14]
xor rax, rdx
imul rax, rcx
movzx edx, byte ptr [r14+1]
xor rax, rdx
imul rax, rcx
dec r15
jnz loop
