#pragma once
/* The few calls of Linux and glibc that Swift's Glibc module lacks (variadic functions,
   headers it does not cover) or marks unsafe as mutable globals. Header only: nothing to build. */
/* Without _GNU_SOURCE, which would give this module another fd_set than its neighbours have; the
   few functions that hide behind it are declared here. */
#include <errno.h>
#include <getopt.h>
#include <linux/sched.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern int sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *deadline);
extern int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout,
                 const sigset_t *mask);

/* Timer slack of the calling thread, ns. Linux adds 50 us to every sleep of a normal thread. */
static inline int midimetro_set_timer_slack(unsigned long nanoseconds) {
  return prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0);
}

/* Keeps the kernel from gathering this process's pages into huge ones in the background. */
static inline int midimetro_refuse_huge_pages(void) {
  return prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
}

static inline long midimetro_timer_slack(void) { return prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0); }

static inline int midimetro_gettid(void) { return (int)syscall(SYS_gettid); }

/* A stack for signal handlers in the calling thread, so that one can run when its own has overflowed: the place to
   free, or 0. Whoever ends the thread gives it back. */
static inline void *midimetro_take_signal_stack(void) {
  enum { size = 65536 };
  void *room = malloc(size);
  stack_t stack = {.ss_sp = room, .ss_flags = 0, .ss_size = size};
  if (room == 0 || sigaltstack(&stack, 0) == 0) return room;
  free(room);
  return 0;
}
static inline void midimetro_leave_signal_stack(void *room) {
  stack_t none = {.ss_sp = 0, .ss_flags = SS_DISABLE, .ss_size = 0};
  sigaltstack(&none, 0);
  free(room);
}

/* Name of the calling thread, at most 15 bytes. */
static inline int midimetro_name_thread(const char *name) {
  return prctl(PR_SET_NAME, name, 0, 0, 0);
}

/* SCHED_FIFO that is not inherited by what the thread starts. */
static inline int midimetro_fifo_policy(void) { return SCHED_FIFO | SCHED_RESET_ON_FORK; }

/* MCL_ONFAULT: pages are locked as they are touched, so the untouched part of every stack and
   library does not become resident. */
static inline int midimetro_lock_memory(void) {
  return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT);
}

/* Like sem_timedwait, but on the monotonic clock; glibc 2.30. */
static inline int midimetro_sem_wait_until(sem_t *sem, const struct timespec *deadline) {
  return sem_clockwait(sem, CLOCK_MONOTONIC, deadline);
}

/* Waits until one of at most 16 descriptors can be read, with nanoseconds left or, when negative,
   without end. Marks those that can, and returns their number, 0 for none, or -1 and errno. A
   function, because a struct pollfd belongs to several C modules in Swift's eyes. */
static inline int midimetro_poll(const int *descriptors, unsigned char *ready, int count,
                                 long long nanoseconds) {
  struct pollfd set[16];
  if (count < 0 || count > 16) {
    errno = EINVAL;
    return -1;
  }
  for (int i = 0; i < count; i++) {
    set[i].fd = descriptors[i];
    set[i].events = POLLIN;
    set[i].revents = 0;
  }
  struct timespec timeout = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  int result = ppoll(set, (nfds_t)count, nanoseconds < 0 ? 0 : &timeout, 0);
  for (int i = 0; i < count; i++) ready[i] = result > 0 && set[i].revents != 0;
  return result;
}

/* Whether a write to a descriptor would not wait; also true when it would fail. */
static inline int midimetro_is_writable(int descriptor) {
  struct pollfd one = {descriptor, POLLOUT, 0};
  return poll(&one, 1, 0) > 0;
}

/* The descriptor that delivers the signals of a set, and reading one: its number, or -errno. */
static inline int midimetro_signalfd(const sigset_t *set) {
  return signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
}
static inline int midimetro_signalfd_read(int descriptor) {
  struct signalfd_siginfo info;
  ssize_t count = read(descriptor, &info, sizeof info);
  return count == (ssize_t)sizeof info ? (int)info.ssi_signo : -1;
}

/* Handlers are function pointers, which Swift cannot compare. */
static inline int midimetro_is_ignored(int signal_number) {
  struct sigaction action;
  return sigaction(signal_number, 0, &action) == 0 && action.sa_handler == SIG_IGN;
}

/* The limits' names are macros of enumerators of another type than getrlimit takes. RLIM_INFINITY
   arrives as the largest number; what cannot be read as 0. */
static inline unsigned long long midimetro_limit_of_rtprio(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_RTPRIO, &limit) == 0 ? limit.rlim_cur : 0;
}
static inline unsigned long long midimetro_limit_of_memlock(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_MEMLOCK, &limit) == 0 ? limit.rlim_cur : 0;
}

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
