# Predictability of data: each address comes out of memory, somewhere in 64 MiB.
# @memory lines 67108864
loop:
mov rax, [rax]
dec r15
jnz loop
