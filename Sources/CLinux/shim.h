#pragma once
/* The few calls of Linux and glibc that Swift's Glibc module lacks (variadic functions,
   headers it does not cover) or marks unsafe as mutable globals. Header only: nothing to build. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <getopt.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Timer slack of the calling thread, ns. Linux adds 50 us to every sleep of a normal thread. */
static inline int midimetro_set_timer_slack(unsigned long nanoseconds) {
  return prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0);
}

static inline int midimetro_gettid(void) { return (int)syscall(SYS_gettid); }

/* getopt_long keeps its state in globals; these are the only way in.
   One parse at a time: the caller holds a lock. */
static inline void midimetro_getopt_reset(void) {
  optind = 0; /* glibc: also forget the place inside a group of short options */
  opterr = 0; /* the messages are ours */
}
static inline int midimetro_getopt_next(int argc, char *const *argv, const char *shorts,
                                        const struct option *longs, int *index) {
  return getopt_long(argc, argv, shorts, longs, index);
}
static inline const char *midimetro_getopt_argument(void) { return optarg; }
static inline int midimetro_getopt_place(void) { return optind; }
static inline int midimetro_getopt_offender(void) { return optopt; }
