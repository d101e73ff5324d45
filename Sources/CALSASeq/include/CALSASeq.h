#pragma once
/* An event is a value of 28 bytes. Swift considers it unsafe only because one of its payloads holds
   a pointer, which we never read. */
struct __attribute__((swift_attr("safe"))) snd_seq_event;
#include <alsa/asoundlib.h>

/* Keeps alsa-lib from printing to stderr; every error reaches the user as an ALSAError instead. In
   C because the library's error handler type is variadic, which Swift cannot express. */
int midimetro_alsa_silence(void);
