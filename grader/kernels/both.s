# Both at once: a chain of additions takes four cycles, and so do the multiplications at one port.
loop:
addsd xmm0, xmm8
imul rax, rsi, 3
imul rbx, rsi, 5
imul rcx, rsi, 7
imul rdx, rsi, 9
dec r15
jnz loop
