#pragma once
/* An event is a value of 28 bytes. It counts as unsafe in Swift only because one of its payloads
   holds a pointer, which we never read. */
struct __attribute__((swift_attr("safe"))) snd_seq_event;
#include <alsa/asoundlib.h>

/* alsa-lib's error handler type is variadic, which Swift cannot express. The library would
   otherwise print to stderr by itself; every error reaches the user as an ALSAError instead. */
static void midimetro_alsa_ignore(const char *file, int line, const char *function, int err,
                                  const char *fmt, ...) {
  (void)file, (void)line, (void)function, (void)err, (void)fmt;
}

static inline int midimetro_alsa_silence(void) {
  return snd_lib_error_set_handler(midimetro_alsa_ignore);
}
