#define _GNU_SOURCE /* sem_clockwait, ppoll, MCL_ONFAULT */
#include "CLinux.h"

#include <errno.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

int midimetro_set_timer_slack(unsigned long nanoseconds) {
  return prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0);
}

int midimetro_refuse_huge_pages(void) {
  return prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
}

long midimetro_timer_slack(void) { return prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0); }

int midimetro_gettid(void) { return (int)syscall(SYS_gettid); }

void *midimetro_take_signal_stack(void) {
  enum { size = 65536 };
  void *memory = malloc(size);
  stack_t stack = {.ss_sp = memory, .ss_flags = 0, .ss_size = size};
  if (memory == 0 || sigaltstack(&stack, 0) == 0) return memory;
  free(memory);
  return 0;
}

void midimetro_leave_signal_stack(void *memory) {
  stack_t none = {.ss_sp = 0, .ss_flags = SS_DISABLE, .ss_size = 0};
  sigaltstack(&none, 0);
  free(memory);
}

int midimetro_name_thread(const char *name) {
  return prctl(PR_SET_NAME, name, 0, 0, 0);
}

int midimetro_fifo_policy(void) { return SCHED_FIFO | SCHED_RESET_ON_FORK; }

int midimetro_lock_memory(void) {
  return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT);
}

int midimetro_sem_wait_until(sem_t *sem, const struct timespec *deadline) {
  return sem_clockwait(sem, CLOCK_MONOTONIC, deadline);
}

int midimetro_poll(const int *descriptors, unsigned char *ready, int count, long long nanoseconds) {
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

int midimetro_is_writable(int descriptor) {
  struct pollfd one = {descriptor, POLLOUT, 0};
  return poll(&one, 1, 0) > 0;
}

int midimetro_signalfd(const sigset_t *set) {
  return signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int midimetro_signalfd_read(int descriptor) {
  struct signalfd_siginfo info;
  ssize_t count = read(descriptor, &info, sizeof info);
  return count == (ssize_t)sizeof info ? (int)info.ssi_signo : -1;
}

int midimetro_is_ignored(int signal_number) {
  struct sigaction action;
  return sigaction(signal_number, 0, &action) == 0 && action.sa_handler == SIG_IGN;
}

unsigned long long midimetro_limit_of_rtprio(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_RTPRIO, &limit) == 0 ? limit.rlim_cur : 0;
}

unsigned long long midimetro_limit_of_memlock(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_MEMLOCK, &limit) == 0 ? limit.rlim_cur : 0;
}

void midimetro_getopt_reset(void) {
  optind = 0; /* glibc: also reset the position inside a group of short options */
  opterr = 0; /* we print the messages */
}

int midimetro_getopt_next(int argc, char *const *argv, const char *shorts, const struct option *longs,
                          int *index) {
  return getopt_long(argc, argv, shorts, longs, index);
}

const char *midimetro_getopt_argument(void) { return optarg; }

int midimetro_getopt_place(void) { return optind; }

int midimetro_getopt_offender(void) { return optopt; }
