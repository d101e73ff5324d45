// tick: an independent measurement of what the kernel's own tick takes from a real-time thread. It sends and receives
// nothing, and shares no code with the program under test.
//
// On every tick the kernel's timer interrupt, and the softirqs that it raises (timers, the memory of exited processes),
// preempt the real-time thread that has the processor. A thread that watches the clock for its deadline is that much
// late when a tick falls into its last microseconds, and no program can prevent that. This one wakes a little before
// every tick, just below the clock's priority, watches the time across it, and records how long the time stood still,
// so that analyse.py --ticks knows when the ticks of a run were and how long they took.
//
// It also records how late it woke itself. Between two ticks, while an ordinary program is in a part of the kernel that
// cannot be preempted (fork and exec have such parts), every real-time thread waits, whatever it does.
//
// usage: tick [--priority P]
//   --priority P   SCHED_FIFO priority, default 59, one below that of midimetro's clock: it must never hold the clock up
// Runs until SIGTERM or SIGINT.
// stderr: "ready" once it knows when the ticks are
// stdout: "# tick PERIOD PHASE": both in ns, ticks begin at PHASE + n * PERIOD of CLOCK_MONOTONIC
//   then for each tick "NS LENGTH": the time stood still for LENGTH ns from NS on
//   and for each time it woke "late NS LENGTH": LENGTH ns after NS, when it was to wake
// exit: 0; 64 usage; 69 no real-time priority, or no tick is to be seen; 74 stdout cannot be written
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

enum { usageError = 64, unavailable = 69, writeError = 74 };
// How long before and after a tick the time is watched, and how long at first, to find the ticks.
static const int64_t before = 40000, after = 40000, search = 45000000;
// Two reads of the clock are further apart than this only if something came between them.
static const int64_t apart = 1500;
enum { room = 1 << 20, mostFound = 4096 };

typedef struct {
  int64_t at, length;
} Gap;

static Gap gaps[room], wakes[room];
static volatile sig_atomic_t ending;

static void end(int signal) {
  (void)signal;
  ending = 1;
}

static int64_t monotonic(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

// The longest standstill between now and `until`; one under way at that time is measured to its end.
static Gap watch(int64_t until) {
  Gap longest = {0, 0};
  for (int64_t last = monotonic(); last < until;) {
    int64_t now = monotonic();
    if (now - last > longest.length) longest = (Gap){last, now - last};
    last = now;
  }
  return longest;
}

static int byValue(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

// Finds the period and phase of the standstills. The kernel has 100, 250, 300 or 1000 ticks a second.
static int findTicks(int64_t *period, int64_t *phase) {
  static int64_t found[mostFound];
  static const int64_t periods[] = {10000000, 4000000, 3333333, 1000000};
  size_t count = 0;
  int64_t last = monotonic();
  for (int64_t until = last + search; last < until && count < mostFound;) {
    int64_t now = monotonic();
    if (now - last > apart) found[count++] = last;
    last = now;
  }
  // Too long a period has standstills between its ticks; of those that fit, the longest is the right one.
  for (size_t p = 0; p < sizeof periods / sizeof *periods; p++) {
    for (size_t first = 0; first < count; first++) {
      int64_t ticks = 0, between = 0, offset[mostFound], seen = 0;
      for (size_t i = 0; i < count; i++) {
        int64_t distance = found[i] - found[first] + periods[p] * 100000;
        int64_t off = (distance + periods[p] / 2) % periods[p] - periods[p] / 2;
        if (off > -20000 && off < 20000) offset[seen++] = off, ticks++;
        else between++;
      }
      if (ticks < search / periods[p] - 1 || between > ticks / 2) continue;
      qsort(offset, (size_t)seen, sizeof *offset, byValue);
      *period = periods[p];
      *phase = (found[first] + offset[seen / 2]) % periods[p];
      return 1;
    }
  }
  return 0;
}

int main(int argc, char **argv) {
  int priority = 59;
  static const struct option options[] = {{"priority", 1, NULL, 'p'}, {NULL, 0, NULL, 0}};
  for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    char *rest;
    long value = option == 'p' ? strtol(optarg, &rest, 10) : 0;
    if (option != 'p' || *rest != 0 || value < 1 || value > 99) {
      fprintf(stderr, "tick: usage: tick [--priority P]\n");
      return usageError;
    }
    priority = (int)value;
  }
  struct sigaction action = {.sa_handler = end};
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  prctl(PR_SET_THP_DISABLE, 1UL, 0UL, 0UL, 0UL);
  // Page faults now, not during a tick.
  memset(gaps, 0, sizeof gaps);
  memset(wakes, 0, sizeof wakes);
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) perror("tick: mlockall");
  struct sched_param parameters = {.sched_priority = priority};
  if (sched_setscheduler(0, SCHED_FIFO, &parameters) != 0) {
    perror("tick: sched_setscheduler");
    return unavailable;
  }
  int64_t period, phase;
  if (!findTicks(&period, &phase)) {
    fprintf(stderr, "tick: no tick is to be seen\n");
    return unavailable;
  }
  fprintf(stderr, "ready\n");
  size_t count = 0, woken = 0;
  while (!ending && count < room && woken < room) {
    int64_t tick = (monotonic() - phase + before) / period * period + period + phase;
    struct timespec wake = {(tick - before) / 1000000000, (tick - before) % 1000000000};
    if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, NULL) != 0) continue;
    wakes[woken++] = (Gap){tick - before, monotonic() - (tick - before)};
    Gap longest = watch(tick + after);
    if (longest.length > apart) gaps[count++] = longest;
  }
  printf("# tick %lld %lld\n", (long long)period, (long long)phase);
  for (size_t i = 0; i < count; i++) printf("%lld %lld\n", (long long)gaps[i].at, (long long)gaps[i].length);
  for (size_t i = 0; i < woken; i++) printf("late %lld %lld\n", (long long)wakes[i].at, (long long)wakes[i].length);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    perror("tick: stdout");
    return writeError;
  }
  return 0;
}
