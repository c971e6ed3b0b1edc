# Execution throughput: three multiplications compete for the one multiplier.
loop:
imul rax, rsi, 3
imul rbx, rsi, 5
imul rcx, rsi, 7
dec r15
jnz loop
