#pragma once
/* The few calls of Linux and glibc that Swift's Glibc module lacks (variadic functions,
   headers it does not cover) or marks unsafe as mutable globals. None is worth inlining: each
   ends in a system call, but for those of getopt, which run at the start. */
#include <getopt.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <time.h>

/* Sets the timer slack of the calling thread, ns. Linux adds 50 us to every sleep of a normal thread. */
int midimetro_set_timer_slack(unsigned long nanoseconds);

/* Keeps the kernel from gathering this process's pages into huge ones in the background. */
int midimetro_refuse_huge_pages(void);

/* The timer slack of the calling thread, ns. */
long midimetro_timer_slack(void);

/* The kernel's number of the calling thread. */
int midimetro_gettid(void);

/* A stack for signal handlers in the calling thread, so that one can run when its own has
   overflowed: the place to free, or 0. Whoever ends the thread gives it back. */
void *midimetro_take_signal_stack(void);
void midimetro_leave_signal_stack(void *room);

/* Name of the calling thread, at most 15 bytes. */
int midimetro_name_thread(const char *name);

/* SCHED_FIFO that is not inherited by what the thread starts. */
int midimetro_fifo_policy(void);

/* MCL_ONFAULT: pages are locked as they are touched, so the untouched part of every stack and
   library does not become resident. */
int midimetro_lock_memory(void);

/* Like sem_timedwait, but on the monotonic clock; glibc 2.30. */
int midimetro_sem_wait_until(sem_t *sem, const struct timespec *deadline);

/* Waits until one of at most 16 descriptors can be read, with nanoseconds left or, when negative,
   without end. Marks those that can, and returns their number, 0 for none, or -1 and errno. A
   function, because a struct pollfd belongs to several C modules in Swift's eyes. */
int midimetro_poll(const int *descriptors, unsigned char *ready, int count, long long nanoseconds);

/* Whether a write to a descriptor would not wait; also true when it would fail. */
int midimetro_is_writable(int descriptor);

/* The descriptor that delivers the signals of a set, and reading one: its number, or -1. */
int midimetro_signalfd(const sigset_t *set);
int midimetro_signalfd_read(int descriptor);

/* Handlers are function pointers, which Swift cannot compare. */
int midimetro_is_ignored(int signal_number);

/* The limits' names are macros of enumerators of another type than getrlimit takes. RLIM_INFINITY
   arrives as the largest number; what cannot be read as 0. */
unsigned long long midimetro_limit_of_rtprio(void);
unsigned long long midimetro_limit_of_memlock(void);

/* getopt_long keeps its state in globals; these are the only way in.
   One parse at a time: the caller holds a lock. */
void midimetro_getopt_reset(void);
int midimetro_getopt_next(int argc, char *const *argv, const char *shorts, const struct option *longs,
                          int *index);
const char *midimetro_getopt_argument(void);
int midimetro_getopt_place(void);
int midimetro_getopt_offender(void);
