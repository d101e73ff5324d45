#pragma once
/* libsndfile is loaded at run time, only to write FLAC or Ogg. Nothing else needs it, and linking
   it would load ten libraries in every run. The types come from its own header. */
#include <sndfile.h>

#define MIDIMETRO_SNDFILE(USE)                                                                     \
  USE(sf_open_fd)                                                                                  \
  USE(sf_format_check)                                                                             \
  USE(sf_command)                                                                                  \
  USE(sf_writef_float)                                                                             \
  USE(sf_strerror)                                                                                 \
  USE(sf_close)

struct midimetro_sndfile {
#define MIDIMETRO_MEMBER(name) __typeof__(name) *name;
  MIDIMETRO_SNDFILE(MIDIMETRO_MEMBER)
#undef MIDIMETRO_MEMBER
};

/* Loads the library and fills the table; returns null, or the reason for failing. The library stays
   loaded. */
const char *midimetro_sndfile_open(struct midimetro_sndfile *table);

/* The formats written. Constants, because Swift does not import macros combined from others. */
static const int midimetro_format_flac = SF_FORMAT_FLAC | SF_FORMAT_PCM_16;
static const int midimetro_format_ogg = SF_FORMAT_OGG | SF_FORMAT_VORBIS;
