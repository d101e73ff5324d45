/* A full-screen terminal interface on ncurses; the functions are documented in screen.h. */
#define _GNU_SOURCE /* memfd_create, uselocale */
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include "screen.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <ncursesw/curses.h>
#include <ncursesw/term.h>
#include <langinfo.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

/* curses writes to a file in memory and does not know the terminal, because it might block on it.
   The state also holds the bytes and settings that restore the terminal after a crash, all prepared
   in advance. */
struct midimetro_screen_state {
  /* The memory file with what curses has written and Swift has not yet taken. */
  int written;
  /* The source of keys. A pad, because reading keys from a window would refresh it. */
  WINDOW *keys;
  char bytes[256];
  int count;
  /* The terminal's settings before and while the screen is shown. */
  struct termios settings;
  struct termios own;
  /* The descriptor used to restore the terminal in a crash; should be non-blocking. */
  int terminal;
  volatile sig_atomic_t armed;
  /* Where stderr is redirected while the screen is shown, and its original target; 0 if unknown. */
  int complaints;
  int original;
  /* The sequences that turn bracketed paste on and off; 0 if the terminal does not support it. */
  const char *paste_on;
  const char *paste_off;
};

static const char *capability(const char *name) {
  const char *text = tigetstr(name);
  return text == (char *)-1 ? 0 : text;
}

static void restore_append(midimetro_screen_state *state, const char *text) {
  int length = text == 0 ? 0 : (int)strlen(text);
  if (state->count + length > (int)sizeof state->bytes) return;
  memcpy(state->bytes + state->count, text, (size_t)length);
  state->count += length;
}

/* A mouse that still reports would type into the shell. Source: terminfo's user capability XM;
   without it, xterm's DECRST 1000 and 1006. */
static void restore_append_mouse(midimetro_screen_state *state) {
  if (capability("kmous") == 0) return;
  const char *mode = capability("XM");
  restore_append(state, mode != 0 ? tiparm(mode, 0) : "\033[?1006l\033[?1000l");
}

/* Finds the sequences for bracketed paste. Source: terminfo's user capabilities BE and BD. Without
   them, xterm's mode 2004, if the terminal has xterm's alternate screen, mode 1049: it then parses
   such modes and ignores unknown ones. */
static void find_paste(midimetro_screen_state *state) {
  state->paste_on = capability("BE");
  state->paste_off = capability("BD");
  if (state->paste_on != 0 && state->paste_off != 0) return;
  const char *enter = capability("smcup");
  int isXtermLike = enter != 0 && strstr(enter, "\033[?1049h") != 0;
  state->paste_on = isXtermLike ? "\033[?2004h" : 0;
  state->paste_off = isXtermLike ? "\033[?2004l" : 0;
}

/* Key codes that curses does not use. */
enum { code_paste_begins = KEY_MAX + 1, code_paste_ends };

static void define_paste(midimetro_screen_state *state) {
  if (state->paste_on == 0) return;
  const char *begins = capability("PS");
  const char *ends = capability("PE");
  define_key(begins != 0 ? begins : "\033[200~", code_paste_begins);
  define_key(ends != 0 ? ends : "\033[201~", code_paste_ends);
}

/* Writes bytes to a terminal until all are sent or it has blocked for `patience` hundredths of a
   second; returns the number sent. A terminal that polls writable accepts 256 bytes: the buffer of
   a pseudo-terminal grows in such pieces, and a serial line has more free. Source: Linux,
   tty_buffer.c and n_tty_poll. Async-signal-safe. */
static int terminal_send(int terminal, const char *bytes, int count, int patience) {
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
      return count; /* the terminal is gone */
    }
  }
  return sent;
}

/* Restores the terminal: writes the bytes that reset it, then applies the settings. If it is not
   being read, pending output is discarded, which makes space for the crash bytes; they take effect
   as soon as it is read again. Async-signal-safe. */
static void terminal_restore(midimetro_screen_state *state, const char *bytes, int count, int patience) {
  if (terminal_send(state->terminal, bytes, count, patience) < count) {
    /* Resume a terminal stopped by Ctrl-S. */
    tcflow(STDOUT_FILENO, TCOOFF);
    tcflow(STDOUT_FILENO, TCOON);
    tcflush(STDOUT_FILENO, TCOFLUSH);
    terminal_send(state->terminal, state->bytes, state->count, 5);
  }
  /* Not TCSADRAIN, which would wait for pending output. */
  tcsetattr(STDOUT_FILENO, TCSANOW, &state->settings);
}

/* The screen to restore in a crash. */
static midimetro_screen_state *crash_screen;

/* Async-signal-safe: uses only read, write, poll and terminal calls. Then raises the signal again,
   with its default action. */
static void restore_and_die(int number) {
  midimetro_screen_state *state = crash_screen;
  if (state->armed) {
    state->armed = 0;
    terminal_restore(state, state->bytes, state->count, 25);
    char words[512];
    ssize_t length;
    while (state->original > 0 && (length = read(state->complaints, words, sizeof words)) > 0) {
      if (terminal_send(state->original, words, (int)length, 25) < length) break;
    }
  }
  signal(number, SIG_DFL);
  raise(number);
}

/* Gives the signal handler a separate stack in the calling thread, because a thread whose stack has
   overflowed cannot run it. */
static void use_other_stack(void) {
  static char memory[65536];
  stack_t other = {.ss_sp = memory, .ss_flags = 0, .ss_size = sizeof memory};
  stack_t current;
  if (sigaltstack(0, &current) == 0 && !(current.ss_flags & SS_DISABLE)) return;
  sigaltstack(&other, 0);
}

static void restore_on_crash(midimetro_screen_state *state) {
  crash_screen = state;
  use_other_stack();
  static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT};
  for (int i = 0; i < (int)(sizeof fatal / sizeof *fatal); i++) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = restore_and_die;
    action.sa_flags = (int)(SA_NODEFER | SA_RESETHAND | SA_ONSTACK);
    sigaction(fatal[i], &action, 0);
  }
}

int midimetro_screen_is_possible(void) {
  int status = 0;
  if (setupterm(0, STDOUT_FILENO, &status) != OK) return 0;
  return capability("cup") != 0;
}

/* Deliver keys one at a time, without echo or translation, and do not translate line ends in the
   output. Ctrl-C and the like remain signals. Source: termios(3), and what curses sets for cbreak,
   noecho and nonl. */
static void prepare_settings(midimetro_screen_state *state) {
  state->own = state->settings;
  state->own.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL);
  state->own.c_lflag |= ISIG;
  state->own.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR);
  state->own.c_oflag &= ~(tcflag_t)(ONLCR | XTABS);
  state->own.c_cc[VMIN] = 1;
  state->own.c_cc[VTIME] = 0;
}

static void apply_settings(const midimetro_screen_state *state) {
  tcsetattr(STDOUT_FILENO, TCSANOW, &state->own);
}

midimetro_screen_state *midimetro_screen_open(int terminal) {
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
  find_paste(state);
  restore_append(state, state->paste_off);
  restore_append_mouse(state);
  restore_append(state, capability("op"));
  restore_append(state, capability("sgr0"));
  restore_append(state, capability("cnorm"));
  restore_append(state, capability("rmkx"));
  restore_append(state, capability("rmcup"));
  state->terminal = terminal;
  state->armed = 1;
  restore_on_crash(state);
  prepare_settings(state);
  apply_settings(state);
  cbreak();
  noecho();
  nonl();
  /* Writing to memory is fast: never interrupt an update for a key. */
  typeahead(-1);
  state->keys = newpad(1, 1);
  keypad(state->keys, TRUE);
  nodelay(state->keys, TRUE);
  define_paste(state);
  set_escdelay(25);
  leaveok(stdscr, TRUE);
  curs_set(0);
  mouseinterval(0);
  mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED, 0);
  return state;
}

long midimetro_screen_written(const midimetro_screen_state *state) {
  return (long)lseek(state->written, 0, SEEK_END);
}

long midimetro_screen_take(const midimetro_screen_state *state, unsigned char *bytes, long count) {
  int written = state->written;
  long got = (long)pread(written, bytes, (size_t)count, 0);
  if (ftruncate(written, 0) != 0) return 0;
  lseek(written, 0, SEEK_SET);
  return got;
}

const char *midimetro_screen_paste(const midimetro_screen_state *state, int isOn) {
  const char *bytes = isOn ? state->paste_on : state->paste_off;
  return bytes == 0 ? "" : bytes;
}

void midimetro_screen_copy_on_crash(midimetro_screen_state *state, int complaints, int original) {
  state->complaints = complaints;
  state->original = original;
}

void midimetro_screen_close(void) { endwin(); }

void midimetro_screen_give_back(midimetro_screen_state *state, const unsigned char *bytes, int count, int patience) {
  int isCrash = bytes == 0;
  terminal_restore(state, isCrash ? state->bytes : (const char *)bytes, isCrash ? state->count : count, patience);
  state->armed = 0;
}

void midimetro_screen_reopen(midimetro_screen_state *state) {
  apply_settings(state);
  state->armed = 1;
  clearok(curscr, TRUE);
  refresh();
  /* curses does this itself only if it controls a terminal. */
  keypad(state->keys, TRUE);
}

int midimetro_screen_columns(void) { return getmaxx(stdscr); }
int midimetro_screen_rows(void) { return getmaxy(stdscr); }

void midimetro_screen_resize(int high, int wide) { resizeterm(high, wide); }

void midimetro_screen_redraw(void) { clearok(curscr, TRUE); }

int midimetro_screen_has_colors(void) {
  if (!has_colors()) return 0;
  start_color();
  use_default_colors();
  return COLORS >= 8 ? COLORS : 0;
}

void midimetro_screen_define(short pair, short foreground, short background) {
  init_pair(pair, foreground, background);
}

void midimetro_screen_style(int style, short pair) {
  attr_t attributes = A_NORMAL;
  if (style & midimetro_bold) attributes |= A_BOLD;
  if (style & midimetro_dim) attributes |= A_DIM;
  if (style & midimetro_reverse) attributes |= A_REVERSE;
  attr_set(attributes, pair, 0);
}

void midimetro_screen_put(int row, int column, const char *text) {
  mvaddstr(row, column, text);
}

void midimetro_screen_erase(void) { erase(); }
void midimetro_screen_show(void) { refresh(); }

/* Maps a curses key code to ours; midimetro_key_other if it has no function here. */
static long special_key(wint_t key) {
  switch (key) {
    case KEY_DOWN: return midimetro_key_down;
    case KEY_UP: return midimetro_key_up;
    case KEY_LEFT: return midimetro_key_left;
    case KEY_RIGHT: return midimetro_key_right;
    case KEY_SLEFT: return midimetro_key_shift_left;
    case KEY_SRIGHT: return midimetro_key_shift_right;
    case KEY_SR: return midimetro_key_shift_up;
    case KEY_SF: return midimetro_key_shift_down;
    case KEY_PPAGE: return midimetro_key_page_up;
    case KEY_NPAGE: return midimetro_key_page_down;
    case KEY_BACKSPACE: return midimetro_key_backspace;
    case KEY_ENTER: return midimetro_key_enter;
    case KEY_MOUSE: return midimetro_key_mouse;
    case code_paste_begins: return midimetro_key_paste_begins;
    case code_paste_ends: return midimetro_key_paste_ends;
    default: return midimetro_key_other;
  }
}

long midimetro_screen_key(const midimetro_screen_state *state) {
  wint_t key = 0;
  int kind = wget_wch(state->keys, &key);
  if (kind == ERR) return -1;
  return kind == KEY_CODE_YES ? special_key(key) : (long)key;
}

int midimetro_screen_mouse(int *row, int *column) {
  MEVENT event;
  if (getmouse(&event) != OK) return 0;
  *row = event.y;
  *column = event.x;
  if (event.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED)) return 1;
  if (event.bstate & BUTTON4_PRESSED) return 2;
  if (event.bstate & BUTTON5_PRESSED) return 3;
  return 0;
}

int midimetro_screen_is_unicode(void) {
  setlocale(LC_CTYPE, "");
  return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static locale_t unicode;

static void open_unicode(void) { unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }

int midimetro_columns(unsigned int letter) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_unicode);
  if (unicode == (locale_t)0) return letter < 32 || (letter >= 127 && letter < 160) ? 0 : 1;
  locale_t before = uselocale(unicode);
  int width = wcwidth((wchar_t)letter);
  uselocale(before);
  return width < 0 ? 0 : width;
}
