#pragma once
/* Calls of Linux and glibc that Swift's Glibc module lacks (variadic functions, headers it does not
   cover) or marks unsafe as mutable globals. Not worth inlining: each makes a system call, except
   getopt, which runs only at start-up. */
#include <getopt.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <time.h>

/* Sets the timer slack of the calling thread, in ns. Linux adds 50 us to every sleep of a normal
   thread. */
int midimetro_set_timer_slack(unsigned long nanoseconds);

/* Keeps the kernel from merging this process's pages into huge pages in the background. */
int midimetro_refuse_huge_pages(void);

/* The timer slack of the calling thread, in ns. */
long midimetro_timer_slack(void);

/* The kernel's thread ID of the calling thread. */
int midimetro_gettid(void);

/* Allocates and installs a signal stack for the calling thread, so that a handler can run after a
   stack overflow. Returns the stack, or 0. Pass it to midimetro_leave_signal_stack before the
   thread ends. */
void *midimetro_take_signal_stack(void);
void midimetro_leave_signal_stack(void *memory);

/* Names the calling thread; at most 15 bytes. */
int midimetro_name_thread(const char *name);

/* SCHED_FIFO, not inherited by child processes and threads. */
int midimetro_fifo_policy(void);

/* MCL_ONFAULT locks pages when they are first touched, so that the unused part of every stack and
   library does not become resident. */
int midimetro_lock_memory(void);

/* Like sem_timedwait, but with the monotonic clock; glibc 2.30. */
int midimetro_sem_wait_until(sem_t *sem, const struct timespec *deadline);

/* Waits until one of at most 16 descriptors is readable, for the given nanoseconds, or indefinitely
   if negative. Marks the readable ones and returns their number, 0 on timeout, or -1 and errno. In
   C because Swift sees struct pollfd in several C modules. */
int midimetro_poll(const int *descriptors, unsigned char *ready, int count, long long nanoseconds);

/* Whether a write to a descriptor would not block; also true if it would fail. */
int midimetro_is_writable(int descriptor);

/* Creates a descriptor that delivers the signals of a set; reads a signal number from it, or -1. */
int midimetro_signalfd(const sigset_t *set);
int midimetro_signalfd_read(int descriptor);

/* Whether a signal is ignored. In C because handlers are function pointers, which Swift cannot
   compare. */
int midimetro_is_ignored(int signal_number);

/* In C because the names of the limits are macros for enumerators of a type that getrlimit does not
   take. RLIM_INFINITY is returned as the largest number, a failure as 0. */
unsigned long long midimetro_limit_of_rtprio(void);
unsigned long long midimetro_limit_of_memlock(void);

/* getopt_long keeps its state in globals; these functions are the only access to it. One parse at a
   time: the caller holds a lock. */
void midimetro_getopt_reset(void);
int midimetro_getopt_next(int argc, char *const *argv, const char *shorts, const struct option *longs,
                          int *index);
const char *midimetro_getopt_argument(void);
int midimetro_getopt_place(void);
int midimetro_getopt_offender(void);
