#pragma once
/* FluidSynth is loaded at run time, not linked. It depends on some sixty shared libraries, which
   would cost every start 8 ms and 10 MB, and midimetro can send clock and clicks over MIDI without
   it. The pointer types come from the header's own declarations. */
#include <fluidsynth.h>

#define MIDIMETRO_FLUIDSYNTH(USE)                                                                  \
  USE(new_fluid_settings)                                                                          \
  USE(delete_fluid_settings)                                                                       \
  USE(fluid_settings_setstr)                                                                       \
  USE(fluid_settings_setnum)                                                                       \
  USE(fluid_settings_setint)                                                                       \
  USE(fluid_settings_getnum)                                                                       \
  USE(fluid_settings_option_concat)                                                                \
  USE(new_fluid_synth)                                                                             \
  USE(delete_fluid_synth)                                                                          \
  USE(fluid_synth_sfload)                                                                          \
  USE(fluid_synth_noteon)                                                                          \
  USE(fluid_synth_noteoff)                                                                         \
  USE(fluid_synth_all_sounds_off)                                                                  \
  USE(fluid_synth_get_active_voice_count)                                                          \
  USE(fluid_synth_get_channel_preset)                                                              \
  USE(fluid_synth_write_float)                                                                     \
  USE(new_fluid_audio_driver2)                                                                     \
  USE(delete_fluid_audio_driver)                                                                   \
  USE(fluid_set_log_function)                                                                      \
  USE(fluid_version_str)

struct midimetro_fluidsynth {
#define MIDIMETRO_MEMBER(name) __typeof__(name) *name;
  MIDIMETRO_FLUIDSYNTH(MIDIMETRO_MEMBER)
#undef MIDIMETRO_MEMBER
};

/* Loads the library and fills the table; returns null, or the reason for failing. The library stays
   loaded. Lazy binding halves the loading time. */
const char *midimetro_fluidsynth_open(struct midimetro_fluidsynth *table);
