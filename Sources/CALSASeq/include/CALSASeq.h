#pragma once
/* An event is a value of 28 bytes. It counts as unsafe in Swift only because one of its payloads
   holds a pointer, which we never read. */
struct __attribute__((swift_attr("safe"))) snd_seq_event;
#include <alsa/asoundlib.h>

/* Keeps alsa-lib from printing to stderr by itself; every error reaches the user as an ALSAError
   instead. Here because the library's error handler type is variadic, which Swift cannot express. */
int midimetro_alsa_silence(void);
