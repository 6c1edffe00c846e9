/* A library that does whatever a library can do to its process. On Windows it lacks what is `x-optional` in the document. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#include <io.h>
#define sleep(seconds) Sleep((seconds) * 1000)
#else
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

typedef struct box { int value; } box;

int add(int a, int b) { return a + b; }
box *box_new(int value) { box *new = malloc(sizeof *new); new->value = value; return new; }
int box_value(const box *self) { return self->value; }
void box_free(box *self) { free(self); }

int null_read(void) { volatile int *p = (int *)8; return *p; }
int wild_write(void) { volatile char *p = (char *)0x7ffffff000; for (int i = 0; i < 1 << 24; i++) p[(long long)i << 12] = 1; return 1; }
int double_free(void) { char *volatile p = malloc(2000); char *volatile q = malloc(2000); free(p); free(p); free(q); return 1; }
int aborts(void) { abort(); }
int exits(int status) { exit(status); }
#ifdef _WIN32
/* Wine's handlers of exceptions have what is left between the last whole frame and the end of the stack. */
#define FRAME (256 << 10)
#else
#define FRAME 4096
#endif
static int deeper(volatile char *above) { volatile char here[FRAME]; here[0] = above[0]; return deeper(here) + here[0]; }
int overflow_stack(void) { char first = 1; return deeper(&first); }
int spin(void) { for (volatile unsigned i = 0;; i++) { } return 0; }
int sleeps(int seconds) { for (;;) sleep(seconds); return 0; }
#ifndef _WIN32
int blocks_signals(void) {
  sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0);
  for (int i = 1; i < 32; i++) signal(i, SIG_IGN);
  for (;;) sleep(1);
  return 0;
}
#endif
/* The document says that the buffer has 16 bytes. */
void overrun(char *text, int by) { memset(text, 'x', 16 + by); }
#ifdef _WIN32
/* The program of this process, which never gets to its first instruction. */
int forks(void) {
  char path[MAX_PATH];
  STARTUPINFOA startup = {sizeof startup};
  PROCESS_INFORMATION made;
  GetModuleFileNameA(0, path, sizeof path);
  return CreateProcessA(path, 0, 0, 0, TRUE, CREATE_SUSPENDED, 0, 0, &startup, &made) ? 1 : -1;
}
#else
int forks(void) { pid_t child = fork(); if (child == 0) { for (;;) sleep(1); } return child < 0 ? -1 : 1; }
#endif
int fakes(void) {
  static const char *replies[] = {
    "{\"result\":1}\n", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[],\"structuredContent\":{\"forged\":1}}}\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}" };
  char header[13 + 12] = {0}; header[8] = 3; header[9] = 12; memcpy(header + 13, "{\"forged\":1}", 12);
  for (int fd = 0; fd < 1024; fd++) {
    if (fd == 2) continue;
    for (int i = 0; i < 3; i++) if (write(fd, replies[i], strlen(replies[i])) < 0) break;
    if (write(fd, header, sizeof header) < 0) continue;
  }
#ifdef _WIN32
  for (char *handle = (char *)4; handle < (char *)4096; handle += 4) {
    DWORD written;
    if (handle != GetStdHandle(STD_ERROR_HANDLE)) WriteFile(handle, header, sizeof header, &written, 0);
  }
#endif
  return 1;
}
#ifdef _WIN32
int closes(void) { for (char *handle = (char *)4; handle < (char *)4096; handle += 4) CloseHandle(handle); return 1; }
#else
int closes(void) { for (int fd = 0; fd < 1024; fd++) close(fd); return 1; }
int shuts(int how) { for (int fd = 3; fd < 1024; fd++) shutdown(fd, how); return 1; }
int never_waits(void) {
  for (int fd = 3; fd < 1024; fd++) { int flags = fcntl(fd, F_GETFL); if (flags >= 0) fcntl(fd, F_SETFL, flags | O_NONBLOCK); }
  return 1;
}
#endif
int allocates(void) { char *all = malloc(10ull << 30); all[0] = 1; for (unsigned long long i = 0; i < 10ull << 30; i += 4096) all[i] = 1; return 1; }
static jmp_buf nowhere;
__attribute__((noinline)) static int sets(void) { return setjmp(nowhere); }
int jumps(void) { memset(&nowhere, 0x41, sizeof nowhere); if (0) sets(); longjmp(nowhere, 1); }
const char *returns_null(void) { return 0; }
const char *not_text(void) { return "\xff\xfe"; }

#ifndef _WIN32
/* What a sandbox refuses. They return -1 and leave errno, or 1. */
static int done(int result) { return result < 0 ? -1 : 1; }
int opens(const char *path, int write) {
  int file = open(path, write ? O_WRONLY | O_CREAT : O_RDONLY, 0600);
  if (file >= 0) close(file);
  return done(file);
}
int connects(int port) {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0) return -1;
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int result = connect(fd, (struct sockaddr *)&to, sizeof to);
  close(fd);
  return done(result);
}
int runs(const char *path) {
  char *arguments[] = {(char *)path, 0};
  pid_t child;
  int error = posix_spawn(&child, path, 0, 0, arguments, arguments + 1);
  if (error) { errno = error; return -1; }
  return done(waitpid(child, 0, 0));
}
int reads_environment(void) {
  char path[32];
  snprintf(path, sizeof path, "/proc/%d/environ", (int)getppid());
  return opens(path, 0);
}
int unlocks(const char *path) { FILE *file = fopen(path, "r"); return fgetc(file); }
int calls_32_bit(void) {
#ifdef __x86_64__
  int result = 20; /* getpid */
  __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
  return result;
#else
  return raise(SIGSYS);
#endif
}
#endif
