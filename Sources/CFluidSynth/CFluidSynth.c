#include "CFluidSynth.h"

#include <dlfcn.h>
#include <stddef.h>

static void no_log(const char *domain, int level, const char *message, void *data) {
  (void)domain, (void)level, (void)message, (void)data;
}

/* FluidSynth asks libinstpatch about every font it cannot load itself. libinstpatch complains
   through GLib, which prints to stderr; FluidSynth's own message is sufficient. Source:
   g_log_set_default_handler; without GLib there is nothing to silence. */
static void silence_glib(void *library) {
  void *(*set)(void (*)(const char *, int, const char *, void *), void *) =
      (__typeof__(set))dlsym(library, "g_log_set_default_handler");
  if (set != NULL) set(no_log, NULL);
}

const char *midimetro_fluidsynth_open(struct midimetro_fluidsynth *table) {
  void *library = dlopen("libfluidsynth.so.3", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) library = dlopen("libfluidsynth.so.2", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return dlerror();
#define MIDIMETRO_FIND(name)                                                                       \
  table->name = (__typeof__(name) *)dlsym(library, #name);                                         \
  if (table->name == NULL) return "no " #name " in it";
  MIDIMETRO_FLUIDSYNTH(MIDIMETRO_FIND)
#undef MIDIMETRO_FIND
  silence_glib(library);
  return NULL;
}
