/* ncurses for Swift: what is a macro, a variable or variadic there, as functions. Nothing to compile. */
#ifndef MIDIMETRO_CNCURSES_H
#define MIDIMETRO_CNCURSES_H

#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#ifndef NCURSES_WIDECHAR
#define NCURSES_WIDECHAR 1
#endif
#define NCURSES_NOMACROS 1
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <ncursesw/curses.h>
#include <ncursesw/term.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* Declared here, because it hides behind _GNU_SOURCE. */
extern int memfd_create(const char *name, unsigned int flags);

/* What curses writes lands in a file in memory, and it knows of no terminal: it could wait for one. And what a crash
   needs to give the terminal back: bytes and settings, all ready before it happens. Whoever opens a screen keeps it:
   a static would be another one in each part of the program that the compiler puts these functions into. */
typedef struct {
  /* What curses has written and nobody has taken. */
  int written;
  /* Where its keys come from: never shown, because reading them from a window that is shows it. */
  WINDOW *keys;
  char bytes[256];
  int count;
  /* The terminal's settings before and while the screen is shown. */
  struct termios settings;
  struct termios own;
  /* The terminal's descriptor for a crash, which best does not block. */
  int terminal;
  volatile sig_atomic_t armed;
  /* Where the standard error stream goes while the screen is shown, and where it went before; 0 when not known. */
  int complaints;
  int original;
  /* What has pasted text come between marks, and no more; 0 where the terminal cannot. */
  const char *paste_on;
  const char *paste_off;
} midimetro_screen_state;

static inline const char *midimetro_capability(const char *name) {
  const char *text = tigetstr(name);
  return text == (char *)-1 ? 0 : text;
}

static inline void midimetro_restore_append(midimetro_screen_state *state, const char *text) {
  int length = text == 0 ? 0 : (int)strlen(text);
  if (state->count + length > (int)sizeof state->bytes) return;
  memcpy(state->bytes + state->count, text, (size_t)length);
  state->count += length;
}

/* A mouse that still reports would type into the shell. Source: terminfo's user capability XM, and xterm's
   DECRST 1000 and 1006 where there is none. */
static inline void midimetro_restore_append_mouse(midimetro_screen_state *state) {
  if (midimetro_capability("kmous") == 0) return;
  const char *mode = midimetro_capability("XM");
  midimetro_restore_append(state, mode != 0 ? tiparm(mode, 0) : "\033[?1006l\033[?1000l");
}

/* How pasted text is asked to come between marks. Source: terminfo's user capabilities BE and BD, and xterm's mode 2004
   where there are none but the terminal has xterm's other screen, mode 1049: it knows such modes, and passes over those
   it does not know. */
static inline void midimetro_find_paste(midimetro_screen_state *state) {
  state->paste_on = midimetro_capability("BE");
  state->paste_off = midimetro_capability("BD");
  if (state->paste_on != 0 && state->paste_off != 0) return;
  const char *enter = midimetro_capability("smcup");
  int isXtermLike = enter != 0 && strstr(enter, "\033[?1049h") != 0;
  state->paste_on = isXtermLike ? "\033[?2004h" : 0;
  state->paste_off = isXtermLike ? "\033[?2004l" : 0;
}

/* Numbers that curses has no key for. */
enum { midimetro_code_paste_begins = KEY_MAX + 1, midimetro_code_paste_ends };

static inline void midimetro_define_paste(midimetro_screen_state *state) {
  if (state->paste_on == 0) return;
  const char *begins = midimetro_capability("PS");
  const char *ends = midimetro_capability("PE");
  define_key(begins != 0 ? begins : "\033[200~", midimetro_code_paste_begins);
  define_key(ends != 0 ? ends : "\033[201~", midimetro_code_paste_ends);
}

/* Writes bytes to a terminal for as long as it takes some, at most so many hundredths of a second: how many it took.
   A terminal that polls writable takes 256 bytes: a pseudo-terminal's room comes in such pieces, and a serial line has
   more left. Source: Linux, tty_buffer.c and n_tty_poll. Async-signal-safe. */
static inline int midimetro_terminal_send(int terminal, const char *bytes, int count, int patience) {
  int sent = 0;
  while (sent < count && patience > 0) {
    struct pollfd one = {terminal, POLLOUT, 0};
    if (poll(&one, 1, 10) <= 0) {
      patience--;
      continue;
    }
    int piece = count - sent < 256 ? count - sent : 256;
    ssize_t taken = write(terminal, bytes + sent, (size_t)piece);
    if (taken >= 0) {
      sent += (int)taken;
    } else if (errno == EAGAIN || errno == EINTR) {
      patience--;
    } else {
      return count; /* it has gone */
    }
  }
  return sent;
}

/* Gives the terminal back: the bytes that make it a shell's again, and its settings. One that is not read loses what it
   had not shown and gets those for a crash: there is room for them then, and read again it is restored at once.
   Async-signal-safe. */
static inline void midimetro_terminal_restore(midimetro_screen_state *state, const char *bytes, int count, int patience) {
  if (midimetro_terminal_send(state->terminal, bytes, count, patience) < count) {
    /* One stopped by Ctrl-S goes on. */
    tcflow(STDOUT_FILENO, TCOOFF);
    tcflow(STDOUT_FILENO, TCOON);
    tcflush(STDOUT_FILENO, TCOFLUSH);
    midimetro_terminal_send(state->terminal, state->bytes, state->count, 5);
  }
  /* At once, not after what is on its way, for which it would wait. */
  tcsetattr(STDOUT_FILENO, TCSANOW, &state->settings);
}

/* The screen that a crash gives back. Static, but whoever sets it names the handler too, which reads it. */
static inline midimetro_screen_state **midimetro_crash_screen(void) {
  static midimetro_screen_state *state;
  return &state;
}

/* Async-signal-safe: read, write, poll and the calls on terminals; then the signal does what it would have done. */
static inline void midimetro_restore_and_die(int number) {
  midimetro_screen_state *state = *midimetro_crash_screen();
  if (state->armed) {
    state->armed = 0;
    midimetro_terminal_restore(state, state->bytes, state->count, 25);
    char words[512];
    ssize_t length;
    while (state->original > 0 && (length = read(state->complaints, words, sizeof words)) > 0) {
      if (midimetro_terminal_send(state->original, words, (int)length, 25) < length) break;
    }
  }
  signal(number, SIG_DFL);
  raise(number);
}

/* A stack of its own for the handler in the calling thread: one that has overflowed has no room for it. */
static inline void midimetro_use_other_stack(void) {
  static char room[65536];
  stack_t other = {.ss_sp = room, .ss_flags = 0, .ss_size = sizeof room};
  stack_t present;
  if (sigaltstack(0, &present) == 0 && !(present.ss_flags & SS_DISABLE)) return;
  sigaltstack(&other, 0);
}

static inline void midimetro_restore_on_crash(midimetro_screen_state *state) {
  *midimetro_crash_screen() = state;
  midimetro_use_other_stack();
  static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT};
  for (int i = 0; i < (int)(sizeof fatal / sizeof *fatal); i++) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = midimetro_restore_and_die;
    action.sa_flags = (int)(SA_NODEFER | SA_RESETHAND | SA_ONSTACK);
    sigaction(fatal[i], &action, 0);
  }
}

/* Whether TERM names a terminal whose cursor can be moved. */
static inline int midimetro_screen_is_possible(void) {
  int status = 0;
  if (setupterm(0, STDOUT_FILENO, &status) != OK) return 0;
  return midimetro_capability("cup") != 0;
}

/* Keys come one by one, unseen and as they are; lines end as they are written. Ctrl-C and its like stay signals.
   Source: termios(3), what curses sets for cbreak, noecho and nonl. */
static inline void midimetro_prepare_settings(midimetro_screen_state *state) {
  state->own = state->settings;
  state->own.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL);
  state->own.c_lflag |= ISIG;
  state->own.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR);
  state->own.c_oflag &= ~(tcflag_t)(ONLCR | XTABS);
  state->own.c_cc[VMIN] = 1;
  state->own.c_cc[VTIME] = 0;
}

static inline void midimetro_screen_apply_settings(const midimetro_screen_state *state) {
  tcsetattr(STDOUT_FILENO, TCSANOW, &state->own);
}

/* Has curses draw a screen, into memory, and takes the terminal's settings over: 0 when it cannot show one. What goes to
   the terminal in a crash goes to that descriptor. The state stays to the end of the program, as a crash may read it. */
static inline midimetro_screen_state *midimetro_screen_open(int terminal) {
  if (!midimetro_screen_is_possible()) return 0;
  midimetro_screen_state *state = (midimetro_screen_state *)calloc(1, sizeof *state);
  if (state == 0) return 0;
  state->written = memfd_create("screen", 1 /* close on exec */);
  FILE *output = state->written < 0 ? 0 : fdopen(state->written, "w");
  SCREEN *screen = output == 0 || tcgetattr(STDOUT_FILENO, &state->settings) != 0 ? 0 : newterm(0, output, stdin);
  if (screen == 0) {
    if (state->written >= 0) close(state->written);
    free(state);
    return 0;
  }
  set_term(screen);
  midimetro_find_paste(state);
  midimetro_restore_append(state, state->paste_off);
  midimetro_restore_append_mouse(state);
  midimetro_restore_append(state, midimetro_capability("op"));
  midimetro_restore_append(state, midimetro_capability("sgr0"));
  midimetro_restore_append(state, midimetro_capability("cnorm"));
  midimetro_restore_append(state, midimetro_capability("rmkx"));
  midimetro_restore_append(state, midimetro_capability("rmcup"));
  state->terminal = terminal;
  state->armed = 1;
  midimetro_restore_on_crash(state);
  midimetro_prepare_settings(state);
  midimetro_screen_apply_settings(state);
  cbreak();
  noecho();
  nonl();
  /* Writing to memory is quick: no picture is broken off for a key. */
  typeahead(-1);
  state->keys = newpad(1, 1);
  keypad(state->keys, TRUE);
  nodelay(state->keys, TRUE);
  midimetro_define_paste(state);
  set_escdelay(25);
  leaveok(stdscr, TRUE);
  curs_set(0);
  mouseinterval(0);
  mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED, 0);
  return state;
}

/* How many bytes curses has written since they were last taken. */
static inline long midimetro_screen_written(const midimetro_screen_state *state) {
  return (long)lseek(state->written, 0, SEEK_END);
}

/* Takes them, so many. */
static inline long midimetro_screen_take(const midimetro_screen_state *state, unsigned char *bytes, long count) {
  int written = state->written;
  long got = (long)pread(written, bytes, (size_t)count, 0);
  if (ftruncate(written, 0) != 0) return 0;
  lseek(written, 0, SEEK_SET);
  return got;
}

/* The bytes that have pasted text come between marks, and no more; none where the terminal cannot. */
static inline const char *midimetro_screen_paste(const midimetro_screen_state *state, int isOn) {
  const char *bytes = isOn ? state->paste_on : state->paste_off;
  return bytes == 0 ? "" : bytes;
}

/* The pipe must not block. */
static inline void midimetro_screen_copy_on_crash(midimetro_screen_state *state, int complaints, int original) {
  state->complaints = complaints;
  state->original = original;
}

/* Ends the screen, for good or for a while; the terminal is restored with what that writes. */
static inline void midimetro_screen_close(void) { endwin(); }

/* Restores the terminal with those bytes, or without any with those for a crash; waits for it at most so many
   hundredths of a second. */
static inline void midimetro_screen_give_back(midimetro_screen_state *state, const unsigned char *bytes, int count, int patience) {
  int isCrash = bytes == 0;
  midimetro_terminal_restore(state, isCrash ? state->bytes : (const char *)bytes, isCrash ? state->count : count, patience);
  state->armed = 0;
}

/* Shows it again. */
static inline void midimetro_screen_reopen(midimetro_screen_state *state) {
  midimetro_screen_apply_settings(state);
  state->armed = 1;
  clearok(curscr, TRUE);
  refresh();
  /* curses does so itself only where it could set a terminal. */
  keypad(state->keys, TRUE);
}

static inline int midimetro_screen_columns(void) { return getmaxx(stdscr); }
static inline int midimetro_screen_rows(void) { return getmaxy(stdscr); }

/* Takes over the terminal's size after SIGWINCH. */
static inline void midimetro_screen_resize(int high, int wide) { resizeterm(high, wide); }

/* Everything is written anew with the next show, as after a suspend. */
static inline void midimetro_screen_redraw(void) { clearok(curscr, TRUE); }

static inline int midimetro_screen_has_colors(void) {
  if (!has_colors()) return 0;
  start_color();
  use_default_colors();
  return COLORS >= 8 ? COLORS : 0;
}

static inline void midimetro_screen_define(short pair, short foreground, short background) {
  init_pair(pair, foreground, background);
}

static const int midimetro_bold = 1;
static const int midimetro_dim = 2;
static const int midimetro_reverse = 4;

static inline void midimetro_screen_style(int style, short pair) {
  attr_t attributes = A_NORMAL;
  if (style & midimetro_bold) attributes |= A_BOLD;
  if (style & midimetro_dim) attributes |= A_DIM;
  if (style & midimetro_reverse) attributes |= A_REVERSE;
  attr_set(attributes, pair, 0);
}

static inline void midimetro_screen_put(int row, int column, const char *text) {
  mvaddstr(row, column, text);
}

static inline void midimetro_screen_erase(void) { erase(); }
static inline void midimetro_screen_show(void) { refresh(); }

/* The next key: a character from 0 on; below 0 nothing; special keys add 0x110000 to curses' number. */
static inline long midimetro_screen_key(const midimetro_screen_state *state) {
  wint_t key = 0;
  int kind = wget_wch(state->keys, &key);
  if (kind == ERR) return -1;
  return kind == KEY_CODE_YES ? 0x110000 + (long)key : (long)key;
}

/* The mouse event behind a KEY_MOUSE: 1 pressed, 2 wheel up, 3 wheel down; 0 none. */
static inline int midimetro_screen_mouse(int *row, int *column) {
  MEVENT event;
  if (getmouse(&event) != OK) return 0;
  *row = event.y;
  *column = event.x;
  if (event.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED)) return 1;
  if (event.bstate & BUTTON4_PRESSED) return 2;
  if (event.bstate & BUTTON5_PRESSED) return 3;
  return 0;
}

/* Whether the locale's characters are UTF-8; sets LC_CTYPE alone, so that numbers stay as they are. */
static inline int midimetro_screen_is_unicode(void) {
  setlocale(LC_CTYPE, "");
  return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static const long midimetro_key_down = 0x110000 + KEY_DOWN;
static const long midimetro_key_up = 0x110000 + KEY_UP;
static const long midimetro_key_left = 0x110000 + KEY_LEFT;
static const long midimetro_key_right = 0x110000 + KEY_RIGHT;
static const long midimetro_key_shift_left = 0x110000 + KEY_SLEFT;
static const long midimetro_key_shift_right = 0x110000 + KEY_SRIGHT;
static const long midimetro_key_shift_up = 0x110000 + KEY_SR;
static const long midimetro_key_shift_down = 0x110000 + KEY_SF;
static const long midimetro_key_page_up = 0x110000 + KEY_PPAGE;
static const long midimetro_key_page_down = 0x110000 + KEY_NPAGE;
static const long midimetro_key_backspace = 0x110000 + KEY_BACKSPACE;
static const long midimetro_key_enter = 0x110000 + KEY_ENTER;
static const long midimetro_key_mouse = 0x110000 + KEY_MOUSE;
static const long midimetro_key_paste_begins = 0x110000 + midimetro_code_paste_begins;
static const long midimetro_key_paste_ends = 0x110000 + midimetro_code_paste_ends;

#endif
