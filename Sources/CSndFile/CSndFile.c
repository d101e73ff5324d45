#include "CSndFile.h"

#include <dlfcn.h>
#include <stddef.h>

const char *midimetro_sndfile_open(struct midimetro_sndfile *table) {
  void *library = dlopen("libsndfile.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return dlerror();
#define MIDIMETRO_FIND(name)                                                                       \
  table->name = (__typeof__(name) *)dlsym(library, #name);                                         \
  if (table->name == NULL) return "no " #name " in it";
  MIDIMETRO_SNDFILE(MIDIMETRO_FIND)
#undef MIDIMETRO_FIND
  return NULL;
}
