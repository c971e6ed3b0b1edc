# Predictability of data: the addresses are computed, but no prefetcher guesses them.
# @memory zero
loop:
imul rax, rax, 1664525
add rax, 1013904223
mov rcx, rax
and ecx, 0x3ffffc0
add rbx, [rsi+rcx]
dec r15
jnz loop
