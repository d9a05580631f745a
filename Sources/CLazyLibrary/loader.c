#include "CLazyLibrary.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

// Stores the addresses of the library's functions. Returns NULL, or the reason why one is missing.
static const char *find_functions(bsc_lazy_library *library, void **handles) {
  for (int i = 0; i < library->function_count; i++) {
    const bsc_lazy_function *function = &library->functions[i];
    void *address = NULL;
    for (int file = 0; address == NULL && library->files[file] != NULL; file++) {
      address = dlsym(handles[file], function->name);
    }
    if (address == NULL) return function->name;
    // Other threads jump to the address without a lock.
    atomic_store_explicit((_Atomic(void *) *)function->address, address, memory_order_release);
  }
  return NULL;
}

static void load(bsc_lazy_library *library) {
  enum { MOST = 4 };
  void *handles[MOST] = {NULL};
  for (int i = 0; i < MOST && library->files[i] != NULL; i++) {
    handles[i] = dlopen(library->files[i], RTLD_NOW | RTLD_LOCAL);
    if (handles[i] == NULL) {
      const char *reason = dlerror();
      snprintf(library->problem, sizeof library->problem, "%s", reason == NULL ? library->files[i] : reason);
      return;
    }
  }
  const char *missing = find_functions(library, handles);
  if (missing == NULL) {
    library->is_loaded = 1;
  } else {
    snprintf(library->problem, sizeof library->problem, "%s has no function %s", library->files[0], missing);
  }
}

const char *bsc_lazy_load(bsc_lazy_library *library) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  if (!library->is_loaded && library->problem[0] == '\0') load(library);
  pthread_mutex_unlock(&lock);
  return library->is_loaded ? NULL : library->problem;
}

#ifdef BSC_LAZY_LIBRARIES

// Called by the first call of a function. `LibAV` and `LibCurl` load the libraries before they create objects and
// report the error, so this fails only if a caller has skipped that.
__attribute__((visibility("hidden"), used)) void bsc_lazy_require(bsc_lazy_library *library) {
  const char *problem = bsc_lazy_load(library);
  if (problem == NULL) return;
  fprintf(stderr, "error: cannot load a library: %s\n", problem);
  abort();
}

// Loads the library in r10, and continues with the function whose address is in the variable in r11. Keeps the
// registers that can contain arguments (System V ABI for x86-64, 3.2.3).
__asm__(
    ".text\n"
    ".globl bsc_lazy_first\n"
    ".hidden bsc_lazy_first\n"
    ".type bsc_lazy_first, @function\n"
    "bsc_lazy_first:\n"
    "push %rbp\n"
    "mov %rsp, %rbp\n"
    "sub $208, %rsp\n"
    "movaps %xmm0, (%rsp)\n"
    "movaps %xmm1, 16(%rsp)\n"
    "movaps %xmm2, 32(%rsp)\n"
    "movaps %xmm3, 48(%rsp)\n"
    "movaps %xmm4, 64(%rsp)\n"
    "movaps %xmm5, 80(%rsp)\n"
    "movaps %xmm6, 96(%rsp)\n"
    "movaps %xmm7, 112(%rsp)\n"
    "mov %rdi, 128(%rsp)\n"
    "mov %rsi, 136(%rsp)\n"
    "mov %rdx, 144(%rsp)\n"
    "mov %rcx, 152(%rsp)\n"
    "mov %r8, 160(%rsp)\n"
    "mov %r9, 168(%rsp)\n"
    "mov %rax, 176(%rsp)\n"
    "mov %r11, 184(%rsp)\n"
    "mov %r10, %rdi\n"
    "call bsc_lazy_require\n"
    "movaps (%rsp), %xmm0\n"
    "movaps 16(%rsp), %xmm1\n"
    "movaps 32(%rsp), %xmm2\n"
    "movaps 48(%rsp), %xmm3\n"
    "movaps 64(%rsp), %xmm4\n"
    "movaps 80(%rsp), %xmm5\n"
    "movaps 96(%rsp), %xmm6\n"
    "movaps 112(%rsp), %xmm7\n"
    "mov 128(%rsp), %rdi\n"
    "mov 136(%rsp), %rsi\n"
    "mov 144(%rsp), %rdx\n"
    "mov 152(%rsp), %rcx\n"
    "mov 160(%rsp), %r8\n"
    "mov 168(%rsp), %r9\n"
    "mov 176(%rsp), %rax\n"
    "mov 184(%rsp), %r11\n"
    "leave\n"
    "jmp *(%r11)\n"
    ".size bsc_lazy_first, . - bsc_lazy_first\n");

#endif
