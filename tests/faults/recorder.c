/* Preloaded into a process: writes down, in order, what it does to the files below one folder.

   RECORD_FOLDER  the folder, absolute
   RECORD_TO      the file that takes the records, outside of it
   RECORD_KILL    optional: kill the process before the n-th record, counted from 1

   A record is a head, two paths and the data; tests/faults/power_loss.py reads it. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST_FILES 4096
#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

struct head {
    uint32_t what, process, file, token;
    int64_t first, second;
    uint32_t path, other, data, spare;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char folder[PATH_MAX];
static size_t folder_length;
static int trace = -1;
static long kill_at, recorded;
static char watched[MOST_FILES];
static uint32_t tokens;

__attribute__((constructor)) static void begin(void) {
    const char *given = getenv("RECORD_FOLDER"), *to = getenv("RECORD_TO");
    const char *limit = getenv("RECORD_KILL");
    if (!given || !to) return;
    snprintf(folder, sizeof folder, "%s", given);
    folder_length = strlen(folder);
    kill_at = limit ? atol(limit) : 0;
    int made = (int)syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    trace = fcntl(made, F_DUPFD_CLOEXEC, 1000);
    if (trace < 0) trace = made;
    else syscall(SYS_close, made);
}

static int is_within(const char *path) {
    return trace >= 0 && path && !strncmp(path, folder, folder_length)
        && (path[folder_length] == '/' || !path[folder_length]);
}

static int is_watched(int file) {
    return trace >= 0 && file >= 0 && file < MOST_FILES && watched[file];
}

/* Call before anything is done: here a process ends whose time has come. */
static void enter(void) {
    pthread_mutex_lock(&lock);
    if (kill_at && recorded + 1 >= kill_at) kill(getpid(), SIGKILL);
}

static void leave(int what, int file, uint32_t token, int64_t first, int64_t second,
                  const char *path, const char *other, const void *data, size_t size) {
    struct head head = {(uint32_t)what, (uint32_t)getpid(), (uint32_t)file, token, first, second,
                        path ? (uint32_t)strlen(path) : 0, other ? (uint32_t)strlen(other) : 0,
                        (uint32_t)size, 0};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)path, head.path},
                            {(void *)other, head.other}, {(void *)data, size}};
    if (what) {
        recorded++;
        if (syscall(SYS_writev, trace, parts, 4) < 0) abort();
    }
    pthread_mutex_unlock(&lock);
}

static int record_open(int at, const char *path, int flags, mode_t mode) {
    if (at != AT_FDCWD || !is_within(path) || (flags & O_TMPFILE) == O_TMPFILE) {
        int file = (int)syscall(SYS_openat, at, path, flags, mode);
        if (file >= 0 && file < MOST_FILES) watched[file] = 0;
        return file;
    }
    struct stat known;
    enter();
    int is_new = (flags & O_CREAT) && syscall(SYS_newfstatat, AT_FDCWD, path, &known, 0);
    int file = (int)syscall(SYS_openat, at, path, flags, mode), kept = errno;
    if (file >= MOST_FILES) abort();
    if (file >= 0) watched[file] = 1;
    leave(file < 0 ? 0 : 'O', file, 0, is_new, (flags & O_TRUNC) != 0, path, NULL, NULL, 0);
    errno = kept;
    return file;
}

static mode_t mode_of(int flags, va_list more) {
    return flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(more, int) : 0;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = mode_of(flags, more); \
        va_end(more); \
        return record_open(AT_FDCWD, path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
    int name(int at, const char *path, int flags, ...) { \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = mode_of(flags, more); \
        va_end(more); \
        return record_open(at, path, flags, mode); \
    }
OPENAT(openat)
OPENAT(openat64)

int close(int file) {
    if (file >= 0 && file < MOST_FILES) watched[file] = 0;
    return (int)syscall(SYS_close, file);
}

ssize_t write(int file, const void *data, size_t size) {
    if (!is_watched(file)) return syscall(SYS_write, file, data, size);
    enter();
    ssize_t done = syscall(SYS_write, file, data, size);
    int kept = errno;
    int64_t end = lseek(file, 0, SEEK_CUR);
    leave(done > 0 ? 'W' : 0, file, 0, end - done, 0, NULL, NULL, data, done > 0 ? (size_t)done : 0);
    errno = kept;
    return done;
}

static ssize_t record_pwrite(int file, const void *data, size_t size, off_t place) {
    if (!is_watched(file)) return syscall(SYS_pwrite64, file, data, size, place);
    enter();
    ssize_t done = syscall(SYS_pwrite64, file, data, size, place);
    int kept = errno;
    leave(done > 0 ? 'W' : 0, file, 0, place, 0, NULL, NULL, data, done > 0 ? (size_t)done : 0);
    errno = kept;
    return done;
}

ssize_t pwrite(int file, const void *data, size_t size, off_t place) {
    return record_pwrite(file, data, size, place);
}

ssize_t pwrite64(int file, const void *data, size_t size, off64_t place) {
    return record_pwrite(file, data, size, place);
}

static int record_truncate(int file, off_t size) {
    if (!is_watched(file)) return (int)syscall(SYS_ftruncate, file, size);
    enter();
    int failed = (int)syscall(SYS_ftruncate, file, size), kept = errno;
    leave(failed ? 0 : 'T', file, 0, size, 0, NULL, NULL, NULL, 0);
    errno = kept;
    return failed;
}

int ftruncate(int file, off_t size) { return record_truncate(file, size); }
int ftruncate64(int file, off64_t size) { return record_truncate(file, size); }

static int record_allocate(int file, int mode, off_t place, off_t size) {
    if (!is_watched(file)) return (int)syscall(SYS_fallocate, file, mode, place, size);
    enter();
    int failed = (int)syscall(SYS_fallocate, file, mode, place, size), kept = errno;
    leave(failed ? 0 : mode & FALLOC_FL_PUNCH_HOLE ? 'P' : 'A', file, 0, place, size,
          NULL, NULL, NULL, 0);
    errno = kept;
    return failed;
}

int fallocate(int file, int mode, off_t place, off_t size) {
    return record_allocate(file, mode, place, size);
}
int fallocate64(int file, int mode, off64_t place, off64_t size) {
    return record_allocate(file, mode, place, size);
}

/* What others write while a flush is under way may be in it, or not. */
static int record_flush(long call, int file) {
    if (!is_watched(file)) return (int)syscall(call, file);
    enter();
    uint32_t token = ++tokens;
    leave('S', file, token, 0, 0, NULL, NULL, NULL, 0);
    int failed = (int)syscall(call, file), kept = errno;
    pthread_mutex_lock(&lock);
    leave(failed ? 0 : 'E', file, token, 0, 0, NULL, NULL, NULL, 0);
    errno = kept;
    return failed;
}

int fsync(int file) { return record_flush(SYS_fsync, file); }
int fdatasync(int file) { return record_flush(SYS_fdatasync, file); }

int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    if (!is_within(from) && !is_within(to)) return real(from, to);
    enter();
    int failed = real(from, to), kept = errno;
    leave(failed ? 0 : 'R', 0, 0, 0, 0, from, to, NULL, 0);
    errno = kept;
    return failed;
}

#define REMOVE(name, what) \
    int name(const char *path) { \
        REAL(int, #name, const char *); \
        if (!is_within(path)) return real(path); \
        enter(); \
        int failed = real(path), kept = errno; \
        leave(failed ? 0 : what, 0, 0, 0, 0, path, NULL, NULL, 0); \
        errno = kept; \
        return failed; \
    }
REMOVE(unlink, 'U')
REMOVE(remove, 'U')
REMOVE(rmdir, 'D')

int mkdir(const char *path, mode_t mode) {
    REAL(int, "mkdir", const char *, mode_t);
    if (!is_within(path)) return real(path, mode);
    enter();
    int failed = real(path, mode), kept = errno;
    leave(failed ? 0 : 'M', 0, 0, 0, 0, path, NULL, NULL, 0);
    errno = kept;
    return failed;
}
