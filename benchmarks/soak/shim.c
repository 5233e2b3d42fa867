/* Stands between a program and its files: counts the calls that touch one folder, and at a chosen one kills the
   program, or lets the disk be full or broken. Loaded with LD_PRELOAD; Python lays out the struct in shim.py. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { OPEN, CREATE, READ, WRITE, SYNC, TRUNCATE, RENAME, LINK, UNLINK, MAP, STAT, LOCK, CLOSE, MAKE_FOLDER };
enum { MOST_CALLS = 8192, MOST_FILES = 65536, KILL = -1 };

struct control {
    char folder[1024];
    int armed;            /* whether calls are counted */
    int count;            /* calls so far */
    int at;               /* the call to spoil; none when 0 */
    int what;             /* KILL, or the errno to answer with */
    int lasting;          /* the kinds, as bits, that go on failing after that call */
    int half;             /* a write is done by half before it fails or kills */
    int fired;            /* whether anything was spoilt */
    unsigned char kinds[MOST_CALLS];
};

static struct control *the;
static unsigned char ours[MOST_FILES];

void soak_begin(struct control *shared) {
    the = shared;
    memset(ours, 0, sizeof ours);
}

static int in_folder(const char *path) {
    return the && the->armed && path && !strncmp(path, the->folder, strlen(the->folder));
}

static int is_ours(int fd) {
    return the && the->armed && fd >= 0 && fd < MOST_FILES && ours[fd];
}

/* What becomes of the next call: 0 lets it pass, anything else is its errno. */
static int next(int kind) {
    int n = __sync_add_and_fetch(&the->count, 1);
    if (n < MOST_CALLS) the->kinds[n] = kind;
    if (!the->at || n < the->at) return 0;
    if (n > the->at && !(the->lasting >> kind & 1)) return 0;
    the->fired = 1;
    if (the->what == KILL) {
        if (the->half && n == the->at) return KILL;
        kill(getpid(), SIGKILL);
    }
    return the->what;
}

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)
#define SPOIL(kind, none) \
    do { int wrong = next(kind); if (wrong) { errno = wrong; return none; } } while (0)

static int opened(int fd) {
    if (fd >= 0 && fd < MOST_FILES) ours[fd] = 1;
    return fd;
}

#define OPENER(name) \
    int name(const char *path, int flags, ...) { \
        va_list more; va_start(more, flags); mode_t mode = va_arg(more, mode_t); va_end(more); \
        REAL(int, #name, const char *, int, ...); \
        if (!in_folder(path)) return real(path, flags, mode); \
        SPOIL(flags & O_CREAT && access(path, F_OK) ? CREATE : OPEN, -1); \
        return opened(real(path, flags, mode)); \
    }
OPENER(open)
OPENER(open64)

#define OPENER_AT(name) \
    int name(int at, const char *path, int flags, ...) { \
        va_list more; va_start(more, flags); mode_t mode = va_arg(more, mode_t); va_end(more); \
        REAL(int, #name, int, const char *, int, ...); \
        if (!in_folder(path)) return real(at, path, flags, mode); \
        SPOIL(flags & O_CREAT ? CREATE : OPEN, -1); \
        return opened(real(at, path, flags, mode)); \
    }
OPENER_AT(openat)
OPENER_AT(openat64)

int close(int fd) {
    REAL(int, "close", int);
    if (!is_ours(fd)) return real(fd);
    ours[fd] = 0;
    int wrong = next(CLOSE), done = real(fd);
    if (wrong) { errno = wrong; return -1; }
    return done;
}

ssize_t write(int fd, const void *data, size_t size) {
    REAL(ssize_t, "write", int, const void *, size_t);
    if (!is_ours(fd)) return real(fd, data, size);
    int wrong = next(WRITE);
    if (!wrong) return real(fd, data, size);
    if (the->half && the->count == the->at && size > 1) {
        ssize_t done = real(fd, data, size / 2);
        if (wrong == KILL) kill(getpid(), SIGKILL);
        return done;
    }
    if (wrong == KILL) kill(getpid(), SIGKILL);
    errno = wrong;
    return -1;
}

#define WRITER_AT(name, offset) \
    ssize_t name(int fd, const void *data, size_t size, offset where) { \
        REAL(ssize_t, #name, int, const void *, size_t, offset); \
        if (!is_ours(fd)) return real(fd, data, size, where); \
        int wrong = next(WRITE); \
        if (!wrong) return real(fd, data, size, where); \
        if (the->half && the->count == the->at && size > 1) { \
            ssize_t done = real(fd, data, size / 2, where); \
            if (wrong == KILL) kill(getpid(), SIGKILL); \
            return done; \
        } \
        if (wrong == KILL) kill(getpid(), SIGKILL); \
        errno = wrong; \
        return -1; \
    }
WRITER_AT(pwrite, off_t)
WRITER_AT(pwrite64, off64_t)

#define BY_FILE(type, none, kind, name, declared, given, ...) \
    type name declared { \
        REAL(type, #name, __VA_ARGS__); \
        if (is_ours(fd)) SPOIL(kind, none); \
        return real given; \
    }
BY_FILE(ssize_t, -1, READ, read, (int fd, void *to, size_t size), (fd, to, size), int, void *, size_t)
BY_FILE(ssize_t, -1, READ, pread, (int fd, void *to, size_t size, off_t at), (fd, to, size, at), int, void *, size_t, off_t)
BY_FILE(ssize_t, -1, READ, pread64, (int fd, void *to, size_t size, off64_t at), (fd, to, size, at), int, void *, size_t, off64_t)
BY_FILE(int, -1, SYNC, fsync, (int fd), (fd), int)
BY_FILE(int, -1, SYNC, fdatasync, (int fd), (fd), int)
BY_FILE(int, -1, TRUNCATE, ftruncate, (int fd, off_t size), (fd, size), int, off_t)
BY_FILE(int, -1, TRUNCATE, ftruncate64, (int fd, off64_t size), (fd, size), int, off64_t)
BY_FILE(int, -1, STAT, fstat, (int fd, struct stat *to), (fd, to), int, struct stat *)
BY_FILE(int, -1, STAT, fstat64, (int fd, struct stat64 *to), (fd, to), int, struct stat64 *)
BY_FILE(void *, MAP_FAILED, MAP, mmap, (void *want, size_t size, int may, int how, int fd, off_t at),
        (want, size, may, how, fd, at), void *, size_t, int, int, int, off_t)
BY_FILE(void *, MAP_FAILED, MAP, mmap64, (void *want, size_t size, int may, int how, int fd, off64_t at),
        (want, size, may, how, fd, at), void *, size_t, int, int, int, off64_t)

#define BY_PATH(kind, name, declared, given, ...) \
    int name declared { \
        REAL(int, #name, __VA_ARGS__); \
        if (in_folder(path)) SPOIL(kind, -1); \
        return real given; \
    }
BY_PATH(UNLINK, unlink, (const char *path), (path), const char *)
BY_PATH(UNLINK, rmdir, (const char *path), (path), const char *)
BY_PATH(RENAME, rename, (const char *path, const char *to), (path, to), const char *, const char *)
BY_PATH(LINK, link, (const char *path, const char *to), (path, to), const char *, const char *)
BY_PATH(TRUNCATE, truncate64, (const char *path, off64_t size), (path, size), const char *, off64_t)
BY_PATH(MAKE_FOLDER, mkdir, (const char *path, mode_t mode), (path, mode), const char *, mode_t)
BY_PATH(STAT, stat64, (const char *path, struct stat64 *to), (path, to), const char *, struct stat64 *)
BY_PATH(STAT, lstat64, (const char *path, struct stat64 *to), (path, to), const char *, struct stat64 *)

/* Locks only: what fcntl answers about a descriptor itself comes from no disk. */
#define LOCKER(name) \
    int name(int fd, int order, ...) { \
        va_list more; va_start(more, order); void *with = va_arg(more, void *); va_end(more); \
        REAL(int, #name, int, int, ...); \
        if (is_ours(fd) && (order == F_SETLK || order == F_SETLKW)) SPOIL(LOCK, -1); \
        return real(fd, order, with); \
    }
LOCKER(fcntl)
LOCKER(fcntl64)

int statvfs64(const char *path, struct statvfs64 *to) {
    REAL(int, "statvfs64", const char *, struct statvfs64 *);
    int done = real(path, to);
    if (!done && in_folder(path) && the->fired && the->what == ENOSPC) to->f_bavail = to->f_bfree = 0;
    return done;
}
