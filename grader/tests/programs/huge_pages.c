/* Touches one word, or calls one instruction, in each of some pages, in the ways that the tests of
   `grader tlb` ask for: huge_pages HOW PAGES ROUNDS. Prints how many kB of the mapping the kernel says
   are huge pages.
   What is counted happens in `measured`. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SMALL = 4096, HUGE = 2 << 20 };

static unsigned char *map(size_t pages, int rights)
{
   size_t bytes = pages * SMALL + HUGE;
   unsigned char *start = mmap(NULL, bytes, rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   if (start == MAP_FAILED) exit(9);
   return (unsigned char *)(((uintptr_t)start + HUGE - 1) & ~(uintptr_t)(HUGE - 1));
}

__attribute__((noinline)) static uint64_t loads(const unsigned char *base, size_t pages, size_t rounds)
{
   uint64_t sum = 0;
   for (size_t round = 0; round < rounds; round++)
      for (size_t page = 0; page < pages; page++)
         sum += *(const volatile unsigned char *)(base + page * SMALL);
   return sum;
}

__attribute__((noinline)) static void calls(const unsigned char *base, size_t pages, size_t rounds)
{
   for (size_t round = 0; round < rounds; round++)
      for (size_t page = 0; page < pages; page++)
         ((void (*)(void))(uintptr_t)(base + page * SMALL))();
}

static void fill(unsigned char *base, size_t pages)
{
   for (size_t page = 0; page < pages; page++) base[page * SMALL] = 0xc3; /* ret */
}

static void advise(unsigned char *base, size_t pages)
{
   if (madvise(base, pages * SMALL, MADV_HUGEPAGE) != 0) exit(8);
}

static long huge_kilobytes(const unsigned char *base)
{
   char line[512];
   long kilobytes = -1;
   int is_ours = 0;
   FILE *file = fopen("/proc/self/smaps", "r");
   while (file && fgets(line, sizeof line, file)) {
      unsigned long first, end, value;
      if (sscanf(line, "%lx-%lx ", &first, &end) == 2)
         is_ours = first <= (uintptr_t)base && (uintptr_t)base < end;
      else if (is_ours && sscanf(line, "AnonHugePages: %lu", &value) == 1)
         kilobytes = (long)value;
   }
   if (file) fclose(file);
   return kilobytes;
}

__attribute__((noinline)) static void measured(const char *how, unsigned char *base, size_t pages,
                                               size_t rounds)
{
   if (!strcmp(how, "remapped")) {
      loads(base, pages, rounds);
      mmap(base, pages * SMALL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
      advise(base, pages);
      fill(base, pages);
      loads(base, pages, rounds);
   } else if (!strcmp(how, "moved-code")) {
      /* As programs move their text: a copy on huge pages, moved over the original. */
      unsigned char *copy = map(pages, PROT_READ | PROT_WRITE | PROT_EXEC);
      calls(base, pages, rounds);
      advise(copy, pages);
      memcpy(copy, base, pages * SMALL);
      if (mremap(copy, pages * SMALL, pages * SMALL, MREMAP_MAYMOVE | MREMAP_FIXED, base) != base)
         exit(7);
      calls(base, pages, rounds);
   } else if (!strcmp(how, "forked")) {
      /* A write after a fork splits the huge page that both share. */
      if (fork() == 0) {
         sleep(1);
         _exit(0);
      }
      fill(base, pages);
      loads(base, pages, rounds);
      wait(NULL);
   } else {
      loads(base, pages, rounds);
   }
}

int main(int count, char **words)
{
   if (count != 4) return 2;
   const char *how = words[1];
   size_t pages = strtoul(words[2], NULL, 10), rounds = strtoul(words[3], NULL, 10);
   /* A process may switch huge pages off for itself: then advice is accepted and ignored. */
   if (!strcmp(how, "forbidden")) prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
   int is_code = !strcmp(how, "moved-code");
   unsigned char *base = map(pages, PROT_READ | PROT_WRITE | (is_code ? PROT_EXEC : 0));
   if (!strcmp(how, "advised") || !strcmp(how, "forbidden") || !strcmp(how, "forked"))
      advise(base, pages);
   else
      madvise(base, pages * SMALL, MADV_NOHUGEPAGE);
   if (!strcmp(how, "part"))
      advise(base, pages / 2);
   fill(base, pages);
   measured(how, base, pages, rounds);
   fprintf(stderr, "huge kB: %ld\n", huge_kilobytes(base));
   return 0;
}
