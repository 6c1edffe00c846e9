/* What a library might try. Each function returns 0, or errno, or a count. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int outcome(int result) { return result < 0 ? errno : 0; }

static int opened(const char *path, int flags) {
    int file = open(path, flags, 0600);
    if (file < 0) return errno;
    char byte;
    int result = (flags & O_ACCMODE) == O_RDONLY ? outcome((int)read(file, &byte, 1)) : 0;
    close(file);
    return result;
}

int read_file(const char *path) { return opened(path, O_RDONLY); }
int list_folder(const char *path) {
    int file = open(path, O_RDONLY | O_DIRECTORY);
    if (file >= 0) close(file);
    return outcome(file);
}
int write_file(const char *path) { return opened(path, O_WRONLY); }
int create_file(const char *path) {
    int result = opened(path, O_WRONLY | O_CREAT | O_EXCL);
    if (result == 0) unlink(path);
    return result;
}
int empty_file(const char *path) { return outcome(truncate(path, 0)); }
int remove_file(const char *path) { return outcome(unlink(path)); }
int change_mode(const char *path) { return outcome(chmod(path, 0600)); }
int read_environment_of_parent(const char *unused) {
    char path[64];
    (void)unused;
    snprintf(path, sizeof path, "/proc/%d/environ", (int)getppid());
    return read_file(path);
}

int connect_to(const char *port) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0) return errno;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(port))};
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    int result = outcome(connect(fd, (struct sockaddr *)&address, sizeof address));
    close(fd);
    return result;
}
static int socket_of(int family, int type) {
    int fd = socket(family, type, 0);
    if (fd >= 0) close(fd);
    return outcome(fd);
}
int udp_socket(const char *unused) { (void)unused; return socket_of(AF_INET, SOCK_DGRAM); }
int unix_socket(const char *unused) { (void)unused; return socket_of(AF_UNIX, SOCK_STREAM); }
int socket_pair(const char *unused) {
    int fds[2];
    (void)unused;
    return outcome(socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
}

int execute(const char *path) {
    char *arguments[] = {(char *)path, "executed", NULL};
    char *environment[] = {NULL};
    return outcome(execve(path, arguments, environment));
}
/* The number of processes that were started, of 50. */
int fork_bomb(const char *unused) {
    pid_t children[50];
    int started = 0;
    (void)unused;
    for (int i = 0; i < 50; i++) {
        pid_t child = fork();
        if (child == 0) { pause(); _exit(0); }
        if (child > 0) children[started++] = child;
    }
    for (int i = 0; i < started; i++) { kill(children[i], SIGKILL); waitpid(children[i], NULL, 0); }
    return started;
}
static void *nothing(void *argument) { return argument; }
int start_thread(const char *unused) {
    pthread_t thread;
    (void)unused;
    int result = pthread_create(&thread, NULL, nothing, NULL);
    return result ? result : pthread_join(thread, NULL);
}
int allocate(const char *mebibytes) {
    size_t size = (size_t)atoi(mebibytes) << 20;
    char *memory = malloc(size);
    if (!memory) return errno;
    memory[size - 1] = 1;
    free(memory);
    return 0;
}
int open_many(const char *path) {
    for (int count = 0; count < 100; count++)
        if (open(path, O_RDONLY) < 0) return errno;
    return 0;
}
int burn(const char *unused) {
    (void)unused;
    for (volatile unsigned long i = 0;; i++) {}
}
int fill_file(const char *path) {
    static char block[1 << 20];
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    signal(SIGXFSZ, SIG_IGN);
    int result = 0;
    for (int i = 0; i < 8 && result == 0; i++) result = outcome((int)write(file, block, sizeof block));
    close(file);
    unlink(path);
    return result;
}

int signal_parent(const char *unused) { (void)unused; return outcome(kill(getppid(), 0)); }
/* The cores stay what they are. */
static int cores_of(pid_t process) {
    cpu_set_t cores;
    if (sched_getaffinity(process, sizeof cores, &cores)) return errno;
    return outcome(sched_setaffinity(process, sizeof cores, &cores));
}
int cores_of_parent(const char *unused) { (void)unused; return cores_of(getppid()); }
int cores_of_itself(const char *unused) { (void)unused; return cores_of(0); }
int outlive_parent(const char *unused) { (void)unused; return outcome(prctl(PR_SET_PDEATHSIG, 0)); }
int signal_itself(const char *unused) { (void)unused; return outcome(raise(SIGURG)); }
int trace(const char *unused) { (void)unused; return outcome((int)ptrace(PTRACE_TRACEME, 0, NULL, NULL)); }
int io_uring(const char *unused) {
    char parameters[256] = {0};
    (void)unused;
    return outcome((int)syscall(SYS_io_uring_setup, 1, parameters));
}
int raise_limit(const char *unused) {
    struct rlimit limit;
    (void)unused;
    if (getrlimit(RLIMIT_NOFILE, &limit)) return errno;
    return outcome(setrlimit(RLIMIT_NOFILE, &limit));
}
int new_namespace(const char *unused) { (void)unused; return outcome((int)syscall(SYS_unshare, 0x04000000)); }

int load_library(const char *name) { return dlopen(name, RTLD_NOW) ? 0 : -1; }
int sqlite(const char *path) {
    void *library = dlopen("libsqlite3.so.0", RTLD_NOW), *db = NULL;
    if (!library) return -1;
    int (*open_db)(const char *, void **) = (int (*)(const char *, void **))dlsym(library, "sqlite3_open");
    int (*exec)(void *, const char *, void *, void *, void *) =
        (int (*)(void *, const char *, void *, void *, void *))dlsym(library, "sqlite3_exec");
    int result = open_db(path, &db);
    return result ? result : exec(db, "create table t(a); insert into t values (datetime('now','localtime')); drop table t", NULL, NULL, NULL);
}
