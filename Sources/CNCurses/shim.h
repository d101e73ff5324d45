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
#include <fcntl.h>
#include <locale.h>
#include <ncursesw/curses.h>
#include <ncursesw/term.h>
#include <langinfo.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* What a crash needs to give the terminal back: bytes and settings, both ready before it happens. In a function,
   because Swift emits a header's functions but not its variables. */
typedef struct {
  char bytes[256];
  int count;
  struct termios settings;
  volatile sig_atomic_t armed;
  /* Where the standard error stream goes while the screen is shown, and where it went before; 0 when not known. */
  int complaints;
  int original;
} midimetro_restore_state;

static inline midimetro_restore_state *midimetro_restore(void) {
  static midimetro_restore_state state;
  return &state;
}

static inline void midimetro_restore_append_text(const char *text) {
  int length = (int)strlen(text);
  midimetro_restore_state *state = midimetro_restore();
  if (state->count + length > (int)sizeof state->bytes) return;
  memcpy(state->bytes + state->count, text, (size_t)length);
  state->count += length;
}

static inline void midimetro_restore_append(const char *capability) {
  const char *text = tigetstr(capability);
  if (text != 0 && text != (char *)-1) midimetro_restore_append_text(text);
}

/* A mouse that still reports would type into the shell. Source: terminfo's user capability XM, and xterm's
   DECRST 1000 and 1006 where there is none. */
static inline void midimetro_restore_append_mouse(void) {
  const char *reports = tigetstr("kmous");
  if (reports == 0 || reports == (char *)-1) return;
  const char *mode = tigetstr("XM");
  int isKnown = mode != 0 && mode != (char *)-1;
  const char *off = isKnown ? tiparm(mode, 0) : "\033[?1006l\033[?1000l";
  if (off != 0) midimetro_restore_append_text(off);
}

/* Async-signal-safe: read, write and tcsetattr only; then the signal does what it would have done. */
static inline void midimetro_restore_and_die(int number) {
  midimetro_restore_state *state = midimetro_restore();
  if (state->armed) {
    state->armed = 0;
    ssize_t ignored = write(STDOUT_FILENO, state->bytes, (size_t)state->count);
    (void)ignored;
    tcsetattr(STDIN_FILENO, TCSANOW, &state->settings);
    char words[512];
    ssize_t length;
    while (state->original > 0 && (length = read(state->complaints, words, sizeof words)) > 0) {
      if (write(state->original, words, (size_t)length) < 0) break;
    }
  }
  signal(number, SIG_DFL);
  raise(number);
}

/* Whether TERM names a terminal whose cursor can be moved. */
static inline int midimetro_screen_is_possible(void) {
  int status = 0;
  if (setupterm(0, STDOUT_FILENO, &status) != OK) return 0;
  const char *move = tigetstr("cup");
  return move != 0 && move != (char *)-1;
}

/* Takes the terminal over: 0, or -1 when it cannot show a screen. */
static inline int midimetro_screen_open(void) {
  if (!midimetro_screen_is_possible()) return -1;
  if (tcgetattr(STDIN_FILENO, &midimetro_restore()->settings) != 0) return -1;
  SCREEN *screen = newterm(0, stdout, stdin);
  if (screen == 0) return -1;
  set_term(screen);
  midimetro_restore()->count = 0;
  midimetro_restore_append_mouse();
  midimetro_restore_append("sgr0");
  midimetro_restore_append("cnorm");
  midimetro_restore_append("rmkx");
  midimetro_restore_append("rmcup");
  midimetro_restore()->armed = 1;
  static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT};
  for (int i = 0; i < (int)(sizeof fatal / sizeof *fatal); i++) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = midimetro_restore_and_die;
    action.sa_flags = (int)(SA_NODEFER | SA_RESETHAND);
    sigaction(fatal[i], &action, 0);
  }
  cbreak();
  noecho();
  nonl();
  intrflush(stdscr, FALSE);
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  set_escdelay(25);
  leaveok(stdscr, TRUE);
  curs_set(0);
  mouseinterval(0);
  mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED, 0);
  return 0;
}

/* The pipe must not block. */
static inline void midimetro_screen_copy_on_crash(int complaints, int original) {
  midimetro_restore()->complaints = complaints;
  midimetro_restore()->original = original;
}

static inline void midimetro_screen_close(void) {
  endwin();
  midimetro_restore()->armed = 0;
}

static inline void midimetro_screen_rearm(void) { midimetro_restore()->armed = 1; }

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
static inline long midimetro_screen_key(void) {
  wint_t key = 0;
  int kind = get_wch(&key);
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
static const long midimetro_key_resize = 0x110000 + KEY_RESIZE;

#endif
