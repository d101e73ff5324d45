#include "CALSASeq.h"

static void ignore(const char *file, int line, const char *function, int err, const char *fmt, ...) {
  (void)file, (void)line, (void)function, (void)err, (void)fmt;
}

int midimetro_alsa_silence(void) { return snd_lib_error_set_handler(ignore); }
