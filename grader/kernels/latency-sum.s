# Execution latency: every addition waits for the one before.
loop:
addsd xmm0, [r14]
addsd xmm0, [r14+8]
addsd xmm0, [r14+16]
addsd xmm0, [r14+24]
dec r15
jnz loop
