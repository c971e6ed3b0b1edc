# Execution throughput: more instructions than dispatch takes per cycle, none waits for another.
loop:
xor eax, eax
xor ebx, ebx
mov rcx, [r14]
xor edx, edx
lea rsi, [r13+8]
xor edi, edi
mov r8, [r14+8]
xor r9d, r9d
lea r10, [r13+16]
xor r11d, r11d
xor r12d, r12d
dec r15
jnz loop
