#pragma once
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
