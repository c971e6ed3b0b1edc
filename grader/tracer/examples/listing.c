/* The listing whose footprint the book explains line by line: the product of two 4096 × 4096
   matrices, in the textbook order and with the two inner loops interchanged.

   An iteration of an inner loop takes 7 instructions in both orders (gcc 12). With the few around it
   an inner loop takes 28684 in the textbook order and 28682 in the interchanged one: an interval of
   that length holds exactly one. The whole product would take half a day under any tracer; the second
   argument says how many inner loops to run.

   Build: cc -O2 -fno-tree-vectorize -fno-unroll-loops -g listing.c -o listing
   Run:   grader footprint --function textbook --interval 28684 -- ./listing textbook 64 */
#include <stdlib.h>
#include <string.h>

enum { N = 4096 };

/* Not static: the compiler would see that nothing writes them, and leave the loads out. */
float a[N][N], b[N][N], c[N][N];

/* ANCHOR: textbook */
__attribute__((noinline)) void textbook(long inner_loops)
{
   for (long i = 0; i < N; i++) {
      for (long j = 0; j < N; j++) {
         if (inner_loops-- == 0)
            return;
         float sum = 0;
         for (long k = 0; k < N; k++)
            sum += a[i][k] * b[k][j];
         c[i][j] = sum;
      }
   }
}
/* ANCHOR_END: textbook */

/* ANCHOR: interchanged */
__attribute__((noinline)) void interchanged(long inner_loops)
{
   for (long i = 0; i < N; i++) {
      for (long k = 0; k < N; k++) {
         if (inner_loops-- == 0)
            return;
         float factor = a[i][k];
         for (long j = 0; j < N; j++)
            c[i][j] += factor * b[k][j];
      }
   }
}
/* ANCHOR_END: interchanged */

int main(int argc, char **argv)
{
   if (argc != 3)
      return 2;
   long inner_loops = atol(argv[2]);
   if (strcmp(argv[1], "textbook") == 0)
      textbook(inner_loops);
   else
      interchanged(inner_loops);
   return 0;
}
