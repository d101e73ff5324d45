/* A full-screen interface for Swift. ncurses consists largely of macros, variables and variadic
   functions; these wrap them as plain functions. */
#ifndef MIDIMETRO_SCREEN_H
#define MIDIMETRO_SCREEN_H

/* An open screen, and what a crash needs to restore the terminal. */
typedef struct midimetro_screen_state midimetro_screen_state;

/* Whether TERM names a terminal with cursor addressing. */
int midimetro_screen_is_possible(void);

/* Opens a screen that curses draws into memory, and takes over the terminal's settings; 0 on
   failure. In a crash, the terminal is restored through the given descriptor. The state is never
   freed, because a crash may read it. */
midimetro_screen_state *midimetro_screen_open(int terminal);

/* The number of bytes that curses has written since they were last taken. */
long midimetro_screen_written(const midimetro_screen_state *state);

/* Takes up to count of these bytes. */
long midimetro_screen_take(const midimetro_screen_state *state, unsigned char *bytes, long count);

/* The bytes that turn bracketed paste on or off; empty if the terminal does not support it. */
const char *midimetro_screen_paste(const midimetro_screen_state *state, int isOn);

/* In a crash, copies the pipe of redirected stderr output to its original target. The pipe must not
   block. */
void midimetro_screen_copy_on_crash(midimetro_screen_state *state, int complaints, int original);

/* Ends the screen, temporarily or permanently. The bytes that this writes restore the terminal. */
void midimetro_screen_close(void);

/* Restores the terminal with the given bytes, or with those prepared for a crash if null. Waits at
   most patience hundredths of a second for the terminal. */
void midimetro_screen_give_back(midimetro_screen_state *state, const unsigned char *bytes, int count, int patience);

/* Shows the screen again. */
void midimetro_screen_reopen(midimetro_screen_state *state);

int midimetro_screen_columns(void);

int midimetro_screen_rows(void);

/* Adopts the terminal's new size after SIGWINCH. */
void midimetro_screen_resize(int high, int wide);

/* Redraws everything at the next show, for example after a suspend. */
void midimetro_screen_redraw(void);

/* The number of colours if at least 8, otherwise 0. */
int midimetro_screen_has_colors(void);

void midimetro_screen_define(short pair, short foreground, short background);

/* Sets the style of the following text: the sum of these attributes, and a colour pair. */
static const int midimetro_bold = 1;
static const int midimetro_dim = 2;
static const int midimetro_reverse = 4;
void midimetro_screen_style(int style, short pair);

void midimetro_screen_put(int row, int column, const char *text);

void midimetro_screen_erase(void);

void midimetro_screen_show(void);

/* The next key: a character or a special key (see below); negative if there is none. */
long midimetro_screen_key(const midimetro_screen_state *state);

/* The mouse event behind a KEY_MOUSE: 1 pressed, 2 wheel up, 3 wheel down; 0 none. */
int midimetro_screen_mouse(int *row, int *column);

/* Whether the locale's encoding is UTF-8. Sets only LC_CTYPE, so that number formats do not change.
 */
int midimetro_screen_is_unicode(void);

/* Special keys, numbered above all characters. */
static const long midimetro_key_down = 0x110000 + 0;
static const long midimetro_key_up = 0x110000 + 1;
static const long midimetro_key_left = 0x110000 + 2;
static const long midimetro_key_right = 0x110000 + 3;
static const long midimetro_key_shift_left = 0x110000 + 4;
static const long midimetro_key_shift_right = 0x110000 + 5;
static const long midimetro_key_shift_up = 0x110000 + 6;
static const long midimetro_key_shift_down = 0x110000 + 7;
static const long midimetro_key_page_up = 0x110000 + 8;
static const long midimetro_key_page_down = 0x110000 + 9;
static const long midimetro_key_backspace = 0x110000 + 10;
static const long midimetro_key_enter = 0x110000 + 11;
static const long midimetro_key_mouse = 0x110000 + 12;
static const long midimetro_key_paste_begins = 0x110000 + 13;
static const long midimetro_key_paste_ends = 0x110000 + 14;
static const long midimetro_key_other = 0x110000 + 15;

/* The number of terminal columns of a character: 0 if it is combining or not printable, 2 if it is
   wide. Source: wcwidth(3) in the locale C.UTF-8, which has the widths of all UTF-8 locales of
   glibc, so the user's locale does not matter. Without that locale, 1 for everything but control
   characters. Callable from any thread. */
int midimetro_columns(unsigned int letter);

#endif
