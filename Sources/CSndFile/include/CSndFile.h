#pragma once
/* libsndfile is opened at run time, and only to write FLAC or Ogg: nothing else needs it, and
   linked it would bring ten libraries into every run. The types are those of its own header. */
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

/* Fills the table from the library; null, or why not. The library stays open. */
const char *midimetro_sndfile_open(struct midimetro_sndfile *table);

/* The formats written; as constants, because Swift does not see a macro of two joined. */
static const int midimetro_format_flac = SF_FORMAT_FLAC | SF_FORMAT_PCM_16;
static const int midimetro_format_ogg = SF_FORMAT_OGG | SF_FORMAT_VORBIS;
