/* A full screen for Swift: ncurses, of which much is macros, variables or variadic, as functions. */
#ifndef MIDIMETRO_SCREEN_H
#define MIDIMETRO_SCREEN_H

/* A screen that is open, and what a crash needs to give the terminal back. */
typedef struct midimetro_screen_state midimetro_screen_state;

/* Whether TERM names a terminal whose cursor can be moved. */
int midimetro_screen_is_possible(void);

/* Has curses draw a screen, into memory, and takes the terminal's settings over: 0 when it cannot show one. What goes to
   the terminal in a crash goes to that descriptor. The state stays to the end of the program, as a crash may read it. */
midimetro_screen_state *midimetro_screen_open(int terminal);

/* How many bytes curses has written since they were last taken. */
long midimetro_screen_written(const midimetro_screen_state *state);

/* Takes them, so many. */
long midimetro_screen_take(const midimetro_screen_state *state, unsigned char *bytes, long count);

/* The bytes that have pasted text come between marks, and no more; none where the terminal cannot. */
const char *midimetro_screen_paste(const midimetro_screen_state *state, int isOn);

/* The pipe must not block. */
void midimetro_screen_copy_on_crash(midimetro_screen_state *state, int complaints, int original);

/* Ends the screen, for good or for a while; the terminal is restored with what that writes. */
void midimetro_screen_close(void);

/* Restores the terminal with those bytes, or without any with those for a crash; waits for it at most so many
   hundredths of a second. */
void midimetro_screen_give_back(midimetro_screen_state *state, const unsigned char *bytes, int count, int patience);

/* Shows it again. */
void midimetro_screen_reopen(midimetro_screen_state *state);

int midimetro_screen_columns(void);

int midimetro_screen_rows(void);

/* Takes over the terminal's size after SIGWINCH. */
void midimetro_screen_resize(int high, int wide);

/* Everything is written anew with the next show, as after a suspend. */
void midimetro_screen_redraw(void);

/* How many colours there are, when at least 8; else 0. */
int midimetro_screen_has_colors(void);

void midimetro_screen_define(short pair, short foreground, short background);

/* What the letters that follow look like: the sum of some of these, and a pair of colours. */
static const int midimetro_bold = 1;
static const int midimetro_dim = 2;
static const int midimetro_reverse = 4;
void midimetro_screen_style(int style, short pair);

void midimetro_screen_put(int row, int column, const char *text);

void midimetro_screen_erase(void);

void midimetro_screen_show(void);

/* The next key: a character from 0 on; below 0 nothing; special keys as below. */
long midimetro_screen_key(const midimetro_screen_state *state);

/* The mouse event behind a KEY_MOUSE: 1 pressed, 2 wheel up, 3 wheel down; 0 none. */
int midimetro_screen_mouse(int *row, int *column);

/* Whether the locale's characters are UTF-8; sets LC_CTYPE alone, so that numbers stay as they are. */
int midimetro_screen_is_unicode(void);

/* Special keys: numbers above every character. */
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

/* How many columns a terminal gives to a letter: 0 for what combines with the one before or is not shown, 2 for wide
   ones. Source: wcwidth(3) in the locale C.UTF-8, whose widths are those of every UTF-8 locale of glibc, so what the
   user's locale is makes no difference; where there is no such locale, 1 for all but control characters. Any thread. */
int midimetro_columns(unsigned int letter);

#endif
