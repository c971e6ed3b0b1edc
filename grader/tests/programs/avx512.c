/* Executes one AVX-512 instruction: vpxorq %zmm0, %zmm0, %zmm0. */
int main(void)
{
   __asm__ volatile(".byte 0x62, 0xf1, 0xfd, 0x48, 0xef, 0xc0");
   return 0;
}
